import { MANAGED_BY_LABEL, Registration, REGISTRAR } from '../../../../src/agent/contract/registrations';
import type { KubernetesObject } from '../kubernetes/objects';
import { TenantAccess } from '../sync/kubeconfig';

/** A Secret, as the API server has it. */
export interface Secret extends KubernetesObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** Label by which Argo CD finds clusters, and its value. */
const SECRET_TYPE = { 'argocd.argoproj.io/secret-type': 'cluster' };

/**
 * The Secret by which a delivery reaches a tenant. It is made of what a kubeconfig says and never a copy of it, so that no program
 * and no file that one names is run or read by Argo CD or Flux.
 *
 * @param ownerUid of the object that the Secret goes with
 */
export function registrationSecret({ tenant, secret, owner, as }: Registration, access: TenantAccess, ownerUid: string): Secret {
  const { apiVersion, kind, name } = owner;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: secret.name,
      namespace: secret.namespace,
      labels: { [MANAGED_BY_LABEL]: REGISTRAR, ...as.kind === 'argo-cd' ? SECRET_TYPE : {} },
      annotations: { 'cdk8s-hosted-control-plane/tenant': `${tenant.namespace}/${tenant.name}` },
      ownerReferences: [{ apiVersion, kind, name, uid: ownerUid }],
    },
    type: 'Opaque',
    data: encoded(as.kind === 'argo-cd'
      ? { name: as.name, server: as.server ?? access.apiServer, config: argoCdConfig(access) }
      : { [as.key]: kubeconfig(access) }),
  };
}

/** Whether a Secret is one of ours: whatever else has its name is left alone. */
export function isOurs({ metadata: { labels = {} } }: Secret): boolean {
  return labels[MANAGED_BY_LABEL] === REGISTRAR;
}

/** Whether a Secret is as it should be. */
export function isCurrent(actual: Secret, desired: Secret): boolean {
  return JSON.stringify(relevant(actual, desired)) === JSON.stringify(relevant(desired, desired));
}

/** Labels, owners and data; what others have added to the metadata is theirs. */
function relevant({ metadata, data = {} }: Secret, { metadata: wanted }: Secret): unknown {
  type Texts = Readonly<Record<string, string>>;
  const picked = (texts: Texts = {}, of: Texts = {}) => Object.keys(of).sort().map(key => [key, texts[key]]);
  return [
    picked(metadata.labels, wanted.labels), picked(metadata.annotations, wanted.annotations),
    (metadata.ownerReferences as { uid: string }[] | undefined)?.map(({ uid }) => uid), Object.keys(data).sort().map(key => [key, data[key]]),
  ];
}

/** `ClusterConfig` of Argo CD (docs: declarative setup, clusters). */
function argoCdConfig({ serverName, credentials: { ca, token, clientCertificate } }: TenantAccess): string {
  return JSON.stringify({
    ...token === undefined ? {} : { bearerToken: token },
    tlsClientConfig: {
      insecure: false,
      ...serverName === undefined ? {} : { serverName },
      caData: base64(ca.toString()),
      ...clientCertificate ? { certData: base64(clientCertificate.certificate), keyData: base64(clientCertificate.key) } : {},
    },
  });
}

/** JSON is YAML. */
function kubeconfig({ apiServer, serverName, credentials: { ca, token, clientCertificate } }: TenantAccess): string {
  return `${JSON.stringify({
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{
      name: 'tenant',
      cluster: { 'server': apiServer, ...serverName === undefined ? {} : { 'tls-server-name': serverName }, 'certificate-authority-data': base64(ca.toString()) },
    }],
    'users': [{
      name: 'admin',
      user: clientCertificate ? { 'client-certificate-data': base64(clientCertificate.certificate), 'client-key-data': base64(clientCertificate.key) } : { token },
    }],
    'contexts': [{ name: 'tenant', context: { cluster: 'tenant', user: 'admin' } }],
    'current-context': 'tenant',
  }, null, 2)}\n`;
}

function encoded(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, base64(text)]));
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
