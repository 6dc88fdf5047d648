import { counted, grouped, Html, html, table } from './html';
import { PageCosts } from './page-document';
import { bar } from './summary';

const MONTHS = 12;

/** What a LoadBalancer for each tenant costs against the shared edge. */
export function costsSection({ currency, loadBalancerPerTenant, sharedEdge, breakEvenTenants, comparisons }: PageCosts): Html {
  const amount = (value: number) => `${grouped(value, 2)} ${currency}`;
  const most = Math.max(...comparisons.flatMap(({ loadBalancers, sharedEdge: edge }) => [loadBalancers, edge]));
  return html`<section id="costs"><h2>Costs of a month</h2>
<div class="costs">${comparisons.map(({ tenants, loadBalancers, sharedEdge: edge }) => html`
<div class="comparison"><h3>${counted(tenants, 'tenant')}</h3>
<div class="row"><span class="value">a LoadBalancer for each</span><span class="count">${amount(loadBalancers)}</span>${bar(loadBalancers, most, 'dear')}</div>
<div class="row"><span class="value">shared edge</span><span class="count">${amount(edge)}</span>${bar(edge, most)}</div></div>`)}
</div>
${table(['tenants', 'a LoadBalancer for each', 'shared edge', 'saved in a month', 'saved in a year'], comparisons.map(each =>
  [grouped(each.tenants), amount(each.loadBalancers), amount(each.sharedEdge), amount(each.savings), amount(MONTHS * each.savings)]))}
<p>A tenant with a LoadBalancer of its own costs ${amount(loadBalancerPerTenant)}, the shared edge ${amount(sharedEdge)} for all.
${breakEvenTenants !== undefined && `The shared edge costs less from ${counted(breakEvenTenants, 'tenant')} on.`} The prices are those that the platform's definition gives; machines and traffic
of tenants are not in them.</p>
</section>`;
}
