import { compareCosts } from '../../src/report/costs';

test('a tenant has a load balancer and its addresses; the shared edge has one for all', () => {
  expect(compareCosts({ currency: 'EUR', loadBalancer: 5.39, address: 0.5, addressesPerTenant: 2 }, 2, 20)).toEqual({
    currency: 'EUR',
    loadBalancerPerTenant: 6.39,
    sharedEdge: 6.39,
    breakEvenTenants: 2,
    comparisons: [{ tenants: 20, loadBalancers: 127.8, sharedEdge: 6.39, savings: 121.41 }],
  });
});

test('the shared edge has what it is said to have', () => {
  const costs = compareCosts({
    currency: 'USD', loadBalancer: 18, address: 3.6, sharedLoadBalancers: 2, sharedAddresses: 3, sharedExtras: 40, tenants: [100, 2, 2],
  }, 1, 7);

  expect(costs.sharedEdge).toBe(86.8);
  expect(costs.breakEvenTenants).toBe(5);
  expect(costs.comparisons).toEqual([
    { tenants: 2, loadBalancers: 43.2, sharedEdge: 86.8, savings: -43.6 },
    { tenants: 100, loadBalancers: 2160, sharedEdge: 86.8, savings: 2073.2 },
  ]);
});

test('fractions of decimals do not move the number of tenants from which on it costs less', () => {
  const { breakEvenTenants } = compareCosts({ currency: 'EUR', loadBalancer: 0.01, address: 0.04, sharedLoadBalancers: 3, sharedAddresses: 3 }, 1, 1);

  expect(breakEvenTenants).toBe(4);
});

test('nothing costs less than load balancers that cost nothing', () => {
  expect(compareCosts({ currency: 'EUR', loadBalancer: 0, sharedExtras: 1 }, 1, 1).breakEvenTenants).toBeUndefined();
});
