import { createHash, createPublicKey, X509Certificate } from 'crypto';
import { parsed, Side } from './side';
import { pick, pickList, pickText, pickTexts } from '../../../src/manifests/fields';

/** What has to be the same on both sides of a move. The names are part of the JSON output and stay. */
export interface Comparison {
  readonly name: string;
  readonly title: string;
  /** What is there on one side, as it is compared and shown; undefined when it is not there. */
  readonly read: (side: Side) => Promise<string | undefined> | string | undefined;
  /** Where it is on no side, that is no fault. */
  readonly optional?: boolean;
  /** It needs a kubeconfig of the tenant. */
  readonly ofTenant?: boolean;
  /** What follows from a difference, and what to do. */
  readonly remedy: string;
}

const COPY = 'copy the Secret of the old cluster before the control plane is made (docs/moving.md, step 1)';

export const COMPARISONS: Comparison[] = [
  {
    name: 'kind',
    title: 'the operator',
    read: ({ object }) => pickText(object, 'apiVersion')?.split('/')[0],
    remedy: 'the operators keep Secrets and data in ways of their own: move to a cluster with the same one',
  },
  {
    name: 'version',
    title: 'the version of Kubernetes',
    read: ({ object }) => pickText(object, 'spec.kubernetes.version'),
    remedy: 'two versions on one datastore are an upgrade: make it before or after the move',
  },
  {
    name: 'names',
    title: 'the names in the certificate of the API server',
    read: ({ object }) => listed(pickTexts(object, 'spec.networkProfile.certSANs')),
    remedy: 'nodes and pods go on with the names that they know: give both the same domain, hosts and certSans',
    optional: true,
  },
  {
    name: 'network',
    title: 'the networks of Services and pods, and the addresses of DNS',
    read: ({ object }) => networkOf(object),
    optional: true,
    remedy: 'Services keep their addresses, which the datastore has: give both the same network',
  },
  {
    name: 'data-store',
    title: 'the part of the datastore, and its user',
    read: ({ object }) => both(pickText(object, 'status.storage.setup.schema'), pickText(object, 'status.storage.setup.user')),
    remedy: 'the new API server has another part of the datastore, which is empty: give dataStoreSchema and dataStoreUsername what the status of the old one says',
  },
  {
    name: 'ca',
    title: 'the CA',
    read: async side => certificateOf(await side.secret('ca', 'ca.crt')),
    remedy: `nodes, pods and proxies would refuse the API server: ${COPY}`,
  },
  {
    name: 'front-proxy-ca',
    title: 'the CA of the front proxy',
    read: async side => certificateOf(await side.secret('front-proxy-ca-certificate', 'front-proxy-ca.crt')),
    remedy: `aggregated API servers would refuse requests: ${COPY}`,
  },
  {
    name: 'service-account-keys',
    title: 'the keys of service accounts',
    read: async side => publicKeyOf(await side.secret('sa-certificate', 'sa.pub')),
    remedy: `tokens of pods would be refused, one API server at a time: ${COPY}`,
  },
  {
    name: 'jwks',
    title: 'the keys that the API server takes tokens by',
    ofTenant: true,
    read: async side => keysOf(await side.tenant!('/openid/v1/jwks')),
    remedy: 'tokens of pods are refused by one of them: end the new API server, copy the Secret sa-certificate, and start it again',
  },
  {
    name: 'cluster',
    title: 'the UID of kube-system',
    ofTenant: true,
    read: async side => pickText(parsed(await side.tenant!('/api/v1/namespaces/kube-system'), 'kubectl: its answer is no JSON'), 'metadata.uid'),
    remedy: 'the new API server is on other data: nodes would register anew there, and pods be lost. Do not change the address',
  },
];

function listed(texts: string[]): string | undefined {
  return texts.length === 0 ? undefined : [...new Set(texts)].sort().join(', ');
}

function both(schema: string | undefined, user: string | undefined): string | undefined {
  return schema === undefined ? undefined : [schema, ...user === undefined ? [] : [`as ${user}`]].join(' ');
}

/** The first network of a list is that of the primary family, so their order counts. Operators fill in either field from the other, or one alone. */
function networkOf(object: unknown): string | undefined {
  const profile = pick(object, 'spec.networkProfile');
  const networks = (several: string, single: string) => {
    const list = pickTexts(profile, several);
    return list.length > 0 ? list : [pickText(profile, single) ?? []].flat();
  };
  const parts: [string, string[]][] = [
    ['Services', networks('serviceCidrs', 'serviceCidr')],
    ['pods', networks('podCidrs', 'podCidr')],
    ['domain', [pickText(profile, 'clusterDomain') ?? []].flat()],
    ['DNS', pickTexts(profile, 'dnsServiceIPs')],
  ];
  const known = parts.filter(([, values]) => values.length > 0);
  return known.length === 0 ? undefined : known.map(([name, values]) => `${name} ${values.join(' and ')}`).join(', ');
}

/** Fingerprints, in the order in which `openssl x509 -fingerprint` prints them. */
function certificateOf(pem: string): string | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return listed(blocks.map(block => `SHA-256 ${new X509Certificate(block).fingerprint256}`));
}

function publicKeyOf(pem: string): string | undefined {
  if (pem.trim() === '') return undefined;
  return `SHA-256 ${createHash('sha256').update(createPublicKey(pem).export({ type: 'spki', format: 'der' })).digest('hex')}`;
}

function keysOf(text: string): string | undefined {
  return listed(pickList(parsed(text, 'the API server: its keys are no JSON'), 'keys').flatMap(key => pickText(key, 'kid') ?? []));
}
