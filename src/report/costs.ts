import { ExposurePrices } from './prices';
import { ReportedCosts } from './report-document';
import { invalidInput } from '../validation/invalid-input';

/** Checks prices: amounts that are finite and not negative, numbers of things that are whole. */
export function validatePrices(prices: ExposurePrices): void {
  if (prices.currency.trim() === '') {
    throw invalidInput('prices.currency', prices.currency, 'is empty', 'Give the currency of the prices, e.g. "EUR"');
  }
  for (const field of ['loadBalancer', 'address', 'sharedExtras'] as const) {
    const price = prices[field];
    if (price !== undefined && (!Number.isFinite(price) || price < 0)) {
      throw invalidInput(`prices.${field}`, price, 'is not a price', 'Give the amount for one month, 0 or more');
    }
  }
  const counts: [string, number | undefined, number][] = [
    ['addressesPerTenant', prices.addressesPerTenant, 0],
    ['sharedLoadBalancers', prices.sharedLoadBalancers, 0],
    ['sharedAddresses', prices.sharedAddresses, 0],
    ...(prices.tenants ?? []).map((tenants, i): [string, number, number] => [`tenants[${i}]`, tenants, 1]),
  ];
  for (const [field, count, least] of counts) {
    if (count !== undefined && (!Number.isInteger(count) || count < least)) {
      throw invalidInput(`prices.${field}`, count, 'is not a number of things', `Give a whole number, ${least} or more`);
    }
  }
}

/**
 * Compares a LoadBalancer for each tenant with the shared edge. In LoadBalancer mode API server and konnectivity server
 * are two ports of one Service, so a tenant has one load balancer.
 *
 * @param sharedAddresses addresses of the shared edge, as far as they are known
 * @param controlPlanes number of control planes in the report
 */
export function compareCosts(prices: ExposurePrices, sharedAddresses: number, controlPlanes: number): ReportedCosts {
  const { currency, loadBalancer, address = 0 } = prices;
  const perTenant = loadBalancer + (prices.addressesPerTenant ?? 1) * address;
  const sharedEdge = (prices.sharedLoadBalancers ?? 1) * loadBalancer
    + (prices.sharedAddresses ?? Math.max(1, sharedAddresses)) * address
    + (prices.sharedExtras ?? 0);
  const tenants = [...new Set(prices.tenants ?? [controlPlanes])].sort((a, b) => a - b);
  return {
    currency,
    loadBalancerPerTenant: money(perTenant),
    sharedEdge: money(sharedEdge),
    ...perTenant > 0 && { breakEvenTenants: breakEven(perTenant, sharedEdge) },
    comparisons: tenants.map(count => ({
      tenants: count,
      loadBalancers: money(count * perTenant),
      sharedEdge: money(sharedEdge),
      savings: money(count * perTenant - sharedEdge),
    })),
  };
}

/** In millionths, as decimal fractions miss by a trifle: 3 × 0.01 + 3 × 0.04 is less than 3 × 0.05 to a computer. */
function breakEven(perTenant: number, sharedEdge: number): number {
  return Math.floor(Math.round(sharedEdge * 1e6) / Math.round(perTenant * 1e6)) + 1;
}

function money(amount: number): number {
  return Math.round(amount * 100) / 100;
}
