import { Adoption, hasOldWay } from './adopt';
import { byDanger, CERTIFICATES } from './difference/danger';
import { own } from './json';
import { differenceLines, titleOf } from './report';
import { KAMAJI_ADDON_DOMAIN } from '../../src/manifests/tenant-control-plane-facts';

const DOCTOR = 'npx cdk8s-hosted-control-plane doctor';

/** A step of a move, and what must hold before the next. */
interface Step {
  readonly title: string;
  readonly text: string;
  readonly commands: readonly string[];
  readonly check: readonly string[];
  readonly holds: string;
}

/** The plan of docs/migrating.md, with the names of these control planes. */
export function planOf(adoptions: Adoption[]): string {
  return [
    '# From what runs to the constructs',
    '',
    'Written by `cdk8s-hosted-control-plane adopt`, for the program `main.ts` beside it. Move one control plane first, all steps, then the next:',
    'nothing of one touches another. Until the last step of a control plane, every step can be taken back.',
    '',
    'Install once, in this folder: `npm init -y && npm install cdk8s-hosted-control-plane cdk8s cdk8s-plus-30 constructs && npm install --save-dev tsx`.',
    '',
    ...adoptions.flatMap(partOf),
  ].join('\n');
}

function partOf(adoption: Adoption): string[] {
  const { changes, lastChanges, refused } = adoption;
  const steps = stepsOf(adoption);
  const fenced = (lines: string[]) => ['', '```text', ...lines.map(line => `  ${line}`), '```', ''];
  return [
    `## ${titleOf(adoption)}`,
    '',
    ...changes.length === 0 ? ['Applying the program changes nothing.', ''] : ['Applying the program changes these fields, the most dangerous first:', ...fenced(differenceLines(changes))],
    ...hasOldWay(adoption) ? ['The last step changes further:', ...fenced(differenceLines(lastChanges))] : [],
    ...refused.length === 0 ? [] : ['The library refuses what runs. It is kept by a patch, or told above:', ...fenced(refused)],
    ...steps.flatMap(({ title, text, commands, check, holds }, i) => [
      `${i + 1}. **${title}.** ${text}`,
      ...code(commands),
      `   Before the next step: ${holds}`,
      ...code(check),
    ]),
  ];
}

function code(commands: readonly string[]): string[] {
  return commands.length === 0 ? [''] : ['', '   ```sh', ...commands.map(command => `   ${command}`), '   ```', ''];
}

function stepsOf(adoption: Adoption): Step[] {
  const { description: { controlPlane: { source }, tcpProxy, object } } = adoption;
  const tenant = `${source.namespace}/${source.name}`;
  const live = `${DOCTOR} live --manifests dist --tenant ${tenant}`;
  const resource = `${source.kind.toLowerCase()}s.${source.apiVersion.split('/')[0]}`;
  const addon = own(own(own(object, 'metadata'), 'annotations'), KAMAJI_ADDON_DOMAIN) !== undefined;
  const path: Step[] = [
    {
      title: 'Describe it as it is',
      text: 'Synthesize, and compare: nothing may change but what is listed above.',
      commands: ['npx tsx main.ts', 'kubectl diff -f dist/management.k8s.yaml'],
      check: [`${DOCTOR} manifests dist`, `${DOCTOR} prerequisites dist --kubeconfig <of the management cluster>`],
      holds: 'the first finds no error, and with the second everything that must exist does.',
    },
    {
      title: 'Create the DNS records',
      text: `${adoption.dnsNames.map(name => `\`${name}\``).join(', ')} lead to the shared address.`,
      commands: [],
      check: [live],
      holds: 'the hops `dns` and `tcp` are `ok`. `sni` fails until the next step is done.',
    },
    {
      title: 'Apply the management chart',
      text: (byDanger(adoption.changes).some(({ topic: { title } }) => title === CERTIFICATES)
        ? 'The operator issues the certificate of the API server again, with the new names, and restarts it. ' : '') + 'The address until now goes on working.'
        + (addon ? ' The annotation of Kamaji\'s ingress addon goes first, and with it the Ingress of the addon, whose hosts ours share; new connections fail for the seconds between.' : ''),
      commands: [
        ...addon ? [`kubectl --namespace ${source.namespace} annotate ${resource} ${source.name} ${KAMAJI_ADDON_DOMAIN}-`] : [],
        'kubectl apply -f dist/management.k8s.yaml',
      ],
      check: [live],
      holds: 'every hop is `ok`, or a warning that you know.',
    },
  ];
  const pods: Step[] = tcpProxy ? [{
    title: 'Let the proxies take over in the tenant',
    text: 'The management chart has the objects of the tenant with it, and `sync` applies them in the tenant cluster. The proxies replace the addresses in `default/kubernetes` as soon as they are ready.'
      + (addon ? ' Remove the tcp-proxy of the addon from the tenant first: two writers of `default/kubernetes` fight.' : ''),
    commands: [`kubectl --kubeconfig <of ${tenant}> --namespace kube-system rollout status deployment/tcp-proxy`],
    check: [`${live} --tenant-kubeconfig <of ${tenant}>`, `kubectl --kubeconfig <of ${tenant}> get endpointslices kubernetes --namespace default`],
    holds: 'every hop is `ok`, and the addresses are those of the proxies.',
  }] : [];
  return [...path, ...pods, ...hasOldWay(adoption) ? lastSteps(adoption, tenant, live) : []];
}

function lastSteps({ dnsNames: [host], description: { controlPlane: { source, service }, props } }: Adoption, tenant: string, live: string): Step[] {
  return [
    {
      title: 'Move the clients',
      text: `To \`${host}\`: kubeconfigs of people and pipelines, \`server:\` in \`/etc/kubernetes/kubelet.conf\` and \`bootstrap-kubelet.conf\` of every node (or join the nodes anew), the `
        + 'ConfigMaps `kube-proxy` (kube-system) and `cluster-info` (kube-public), values of CNIs that name the API server.'
        + (source.apiVersion.startsWith('controlplane.cluster.x-k8s.io/') ? ' Machines that join take the address from `spec.controlPlaneEndpoint` of the Cluster of Cluster API: see that it has the host too.' : ''),
      commands: [],
      check: [`${live} --tenant-kubeconfig <each kubeconfig that was moved>`],
      holds: 'every hop is `ok` for each of them.',
    },
    {
      title: 'See that nobody is left',
      text: 'Connections at the old address go to zero; the audit log of the API server has the addresses that clients come from.',
      commands: [`kubectl --kubeconfig <of ${tenant}> get nodes`],
      check: [live],
      holds: 'no connection is left, every node is Ready, and every hop is `ok`.',
    },
    {
      title: 'End the old way',
      text: 'Remove the lines that `main.ts` says are there until the last step. The Service becomes ClusterIP, and a cloud releases the address: this cannot be taken back. '
        + 'The old address may leave `certSans` then.',
      commands: ['npx tsx main.ts', 'kubectl diff -f dist/management.k8s.yaml', 'kubectl apply -f dist/management.k8s.yaml'],
      check: [
        live,
        `kubectl --namespace ${source.namespace} get service ${service?.name ?? String(props.name)}`,
        `npx cdk8s-hosted-control-plane adopt --kubeconfig <of the management cluster> --tenant ${tenant} --compare dist`,
      ],
      holds: 'every hop is `ok`, the Service is ClusterIP, and `adopt --compare` finds no difference.',
    },
  ];
}
