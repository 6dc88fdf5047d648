/** A page of the website: a Markdown file of the project, and how the sidebar calls it. */
export interface Page {
  /** From the root of the project. */
  readonly file: string;
  readonly title: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
}

const doc = (name: string, title: string): Page => ({ file: `docs/${name}.md`, title });

/** The sidebar. Every page of docs/ is in it, once; a test fails for one that is not. */
export const SIDEBAR: readonly Section[] = [
  {
    title: 'First',
    pages: [
      doc('init', 'A project to begin with'), doc('choosing', 'LoadBalancer, ingress or port'), doc('capacity', 'Latency and capacity'), doc('options', 'Where each option went'), doc('migrating', 'Leaving LoadBalancers'),
      doc('adopting', 'What runs already'),
    ],
  },
  {
    title: 'Systems',
    pages: [
      doc('steward', 'Steward'), doc('kamaji', 'Kamaji'), doc('k0smotron', 'k0smotron'), doc('hetzner', 'Hetzner and k0rdent'), doc('hypershift', 'HyperShift'), doc('talos', 'Workers with Talos'),
      doc('made-elsewhere', 'Made elsewhere'),
    ],
  },
  {
    title: 'The shared address',
    pages: [
      doc('ingress-controllers', 'Ingress controllers'), doc('gateway-api', 'Gateway API'), doc('shared-gateway', 'Shared gateway'), doc('entries', 'Several addresses and names'),
      doc('fleet', 'Several management clusters'), doc('moving', 'A tenant moves'), doc('host-policy', 'Whose hosts are whose'), doc('ha-address', 'Two edges'), doc('dns', 'DNS'),
    ],
  },
  {
    title: 'The tenant side',
    pages: [
      doc('tenant-port', 'A port of the tenant'), doc('tcp-proxy', 'Tcp-proxy'), doc('certificates', 'Its certificate'), doc('service-host-injection', 'Pods that dial the public host'),
    ],
  },
  {
    title: 'Day by day',
    pages: [
      doc('delivery', 'Delivery'), doc('helm-charts', 'Helm charts'), doc('many-tenants', 'Many tenants'), doc('environments', 'Environments'), doc('testing', 'Testing your platform'), doc('report', 'The report'),
      doc('air-gap', 'Air gaps'), doc('upgrading', 'Upgrades'), doc('monitoring', 'Monitoring'), doc('metrics', 'Metrics'), doc('objectives', 'Objectives'),
    ],
  },
  { title: 'When it does not work', pages: [doc('doctor', 'Doctor'), doc('troubleshooting', 'Troubleshooting')] },
  {
    title: 'How it is made',
    pages: [
      doc('design', 'Design'), doc('compatibility', 'What was run'), doc('how-this-is-tested', 'How this is tested'), doc('security', 'Security model'),
      { file: 'images/tcp-proxy/README.md', title: 'The image' }, { file: 'bench/README.md', title: 'Benchmarks' },
      { file: 'CONTRIBUTING.md', title: 'Contributing' }, { file: 'SECURITY.md', title: 'Reporting a vulnerability' },
    ],
  },
];

/** The path of a page on the website, without an ending. */
export function pathOf(file: string): string {
  const others: { [file: string]: string } = { 'README.md': 'index', 'images/tcp-proxy/README.md': 'image', 'bench/README.md': 'benchmarks', 'SECURITY.md': 'reporting' };
  return others[file] ?? file.replace(/^docs\//, '').replace(/\.md$/, '').toLowerCase();
}
