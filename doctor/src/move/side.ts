import { ConfigurationError } from '../../../cli/configuration';
import { Kubectl, kubectlOf } from '../../../cli/management-cluster';

/** One of the two management clusters, with the tenant in it. */
export interface Side {
  /** For people: `old` or `new`. */
  readonly title: string;
  /** The TenantControlPlane. */
  readonly object: unknown;
  /** A key of a Secret beside the control plane; empty when it is not there. Private keys are not asked for. */
  readonly secret: (suffix: string, key: string) => Promise<string>;
  /** What the API server of the tenant answers to a path. */
  readonly tenant?: (path: string) => Promise<string>;
}

export interface SideOptions {
  readonly title: string;
  readonly namespace: string;
  readonly name: string;
  readonly kubeconfig: string;
  readonly context?: string;
  /** That named the kubeconfig. */
  readonly flag: string;
  readonly tenantKubeconfig?: string;
}

/** Their Secrets have the same names. */
const RESOURCES = ['tenantcontrolplanes.kamaji.clastix.io', 'tenantcontrolplanes.steward.butlerlabs.dev'];

/** @throws ConfigurationError when there is no kubectl, it cannot read the cluster, or the control plane is not there */
export async function readSide({ title, namespace, name, kubeconfig, context, flag, tenantKubeconfig }: SideOptions): Promise<Side> {
  const kubectl = kubectlOf(kubeconfig, context, flag);
  const tenant = tenantKubeconfig === undefined ? undefined : kubectlOf(tenantKubeconfig, undefined, `${flag}-tenant`);
  const object = await controlPlaneOf(kubectl, namespace, name);
  if (object === undefined) {
    throw new ConfigurationError(`${flag}: there is no TenantControlPlane ${namespace}/${name} of Kamaji or Steward; name one that is in both clusters`);
  }
  return {
    title,
    object,
    secret: async (suffix, key) => {
      const path = `jsonpath={.data.${key.replace(/\./g, '\\.')}}`;
      return Buffer.from(await kubectl('get', 'secret', `${name}-${suffix}`, `--namespace=${namespace}`, '--ignore-not-found', `--output=${path}`), 'base64').toString('utf8');
    },
    tenant: tenant && (async path => tenant('get', `--raw=${path}`)),
  };
}

async function controlPlaneOf(kubectl: Kubectl, namespace: string, name: string): Promise<unknown> {
  const served = new Set((await kubectl('api-resources', '--verbs=list', '--output=name')).split('\n'));
  for (const resource of RESOURCES.filter(each => served.has(each))) {
    const text = await kubectl('get', resource, name, `--namespace=${namespace}`, '--ignore-not-found', '--output=json');
    if (text.trim() !== '') return parsed(text, 'kubectl: its answer is no JSON');
  }
  return undefined;
}

/** @throws ConfigurationError with the message */
export function parsed(text: string, message: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError(message);
  }
}
