import { execFile } from 'child_process';
import { ConfigurationError } from './configuration';
import { printable } from './printable';
import { sideBySide } from './side-by-side';
import { pickList, pickText } from '../src/manifests/fields';
import { Source } from '../src/manifests/source';

/** No Secret is among them, and no ConfigMap: whoever may read control planes can run the doctor. */
const RESOURCES = [
  'tenantcontrolplanes.kamaji.clastix.io',
  'tenantcontrolplanes.steward.butlerlabs.dev',
  'kamajicontrolplanes.controlplane.cluster.x-k8s.io',
  'k0smotroncontrolplanes.controlplane.cluster.x-k8s.io',
  'clusters.k0smotron.io',
  'clusterdeployments.k0rdent.mirantis.com',
  'hostedclusters.hypershift.openshift.io',
];
const AT_ONCE = 4;
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 256 * 2 ** 20;

/**
 * Reads the control planes of a management cluster with `kubectl`, which knows every way to log in.
 *
 * @param context of the kubeconfig @default - the current one
 * @param further resources that are read beside them, where they are served
 * @throws ConfigurationError when there is no kubectl, or it cannot read the cluster
 */
export async function readManagementCluster(kubeconfig: string, context?: string, further: readonly string[] = []): Promise<Source[]> {
  const kubectl = kubectlOf(kubeconfig, context);
  const served = new Set((await kubectl('api-resources', '--verbs=list', '--output=name')).split('\n'));
  const lists = await sideBySide([...RESOURCES, ...further].filter(resource => served.has(resource)), AT_ONCE,
    async resource => pickList(parse(await kubectl('get', resource, '--all-namespaces', '--output=json')), 'items'));
  return lists.flat().flatMap(sourceOf);
}

/** Runs kubectl with arguments and gives what it prints; rejects with a ConfigurationError that has what it complains about. */
export type Kubectl = (...args: string[]) => Promise<string>;

/**
 * kubectl for one cluster.
 *
 * @param flag that named the kubeconfig, for errors
 */
export function kubectlOf(kubeconfig: string, context?: string, flag = '--kubeconfig'): Kubectl {
  const flags = [`--kubeconfig=${kubeconfig}`, `--request-timeout=${TIMEOUT_MS / 1000}s`, ...(context === undefined ? [] : [`--context=${context}`])];
  return (...args) => run([...args, ...flags], `${flag} ${JSON.stringify(kubeconfig)}`);
}

function run(args: string[], cluster: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('kubectl', args, { maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      // Some API that others serve may be down; the resources of all that are up are listed.
      if (!error || (args[0] === 'api-resources' && stdout !== '')) return resolve(stdout);
      const reason = (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'kubectl, which reads the cluster, is not on the PATH; install it, or give the objects as --manifests'
        : `kubectl cannot read the cluster: ${printable(error.killed ? `no answer within ${TIMEOUT_MS / 1000}s` : stderr || error.message)}`;
      reject(new ConfigurationError(`${cluster}: ${reason}`));
    });
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError('kubectl: its answer is no JSON');
  }
}

function sourceOf(object: unknown): Source[] {
  const [apiVersion, kind] = [pickText(object, 'apiVersion'), pickText(object, 'kind')];
  if (apiVersion === undefined || kind === undefined) return [];
  return [{ file: '', line: 0, apiVersion, kind, namespace: pickText(object, 'metadata.namespace') ?? 'default', name: pickText(object, 'metadata.name') ?? '', object }];
}
