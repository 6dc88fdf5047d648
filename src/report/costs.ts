import { ExposurePrices } from './prices';
import { ReportedCosts } from './report-document';
import { invalidInput } from '../validation/invalid-input';
import { Checks, listOf, optional } from '../validation/props';
import { validateLine } from '../validation/text';
import { wholeNumber } from '../validation/whole-number';

/** Far beyond what anything costs; sums of such amounts are exact. */
const MOST = 1e9;

function price(field: string, amount: number): void {
  if (!Number.isFinite(amount) || amount < 0 || amount > MOST) {
    throw invalidInput(field, amount, 'is not a price', 'Give the amount for one month, 0 or more');
  }
}

const number = (least: number) => optional(wholeNumber('things', least, MOST));

/** What each of the prices may be. */
export const PRICES: Checks<ExposurePrices> = {
  currency: validateLine,
  loadBalancer: price,
  address: optional(price),
  addressesPerTenant: number(0),
  sharedLoadBalancers: number(0),
  sharedAddresses: number(0),
  sharedExtras: optional(price),
  tenants: optional(listOf(wholeNumber('things', 1, MOST))),
};

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
