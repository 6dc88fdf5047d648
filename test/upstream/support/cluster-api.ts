import { mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { Yaml } from 'cdk8s';
import { Cluster } from '../../e2e/support/cluster';
import { CRD_FOLDER } from '../../support/crd-schemas';
import { Operator } from '../operators/support/operator';

const NAMESPACE = 'capi-system';
/** Kinds of its installation that make its pods and certificates, which the tests play. */
const PLAYED = ['Deployment', 'Service', 'Certificate', 'Issuer'];

/** Definitions of a provider. */
interface OfProvider {
  /** The versions that follow each contract with Cluster API, as its labels say. */
  readonly contracts: { readonly [contract: string]: string };
  /** What Cluster API makes of a template. */
  readonly made?: string;
}

const K0SMOTRON = { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/v1beta2': 'v1beta2' };
const KAMAJI = { 'cluster.x-k8s.io/v1beta2': 'v1alpha2' };
const HETZNER = { 'cluster.x-k8s.io/v1beta1': 'v1beta1' };
const OF_PROVIDERS: { readonly [file: string]: OfProvider } = {
  'controlplane.cluster.x-k8s.io_k0smotroncontrolplanes': { contracts: K0SMOTRON },
  'controlplane.cluster.x-k8s.io_kamajicontrolplanes': { contracts: KAMAJI },
  'infrastructure.cluster.x-k8s.io_hetznerclusters': { contracts: HETZNER },
  'bootstrap.cluster.x-k8s.io_k0sworkerconfigtemplates': { contracts: K0SMOTRON, made: 'K0sWorkerConfig' },
  'infrastructure.cluster.x-k8s.io_hcloudmachinetemplates': { contracts: HETZNER, made: 'HCloudMachine' },
};

/**
 * Starts Cluster API's core as its release installs it, beside the definitions of providers.
 *
 * @param webhookPort where no other operator of the same network has its own
 */
export async function startClusterApi(cluster: Cluster, folder: string, webhookPort = 9443): Promise<Operator> {
  const installed = aggregated(await rendered(cluster, join(folder, 'config', 'default')));
  const isWebhook = ({ kind }: any) => kind.endsWith('WebhookConfiguration');
  const { spec: { template: { spec: pod } } } = installed.find(({ kind }) => kind === 'Deployment');
  return Operator.start(cluster, webhookCa => ({
    folder,
    namespace: NAMESPACE,
    serviceAccount: pod.serviceAccountName,
    objects: [...installed.filter(object => !isWebhook(object) && !PLAYED.includes(object.kind)), ...definitionsOfProviders()],
    webhooks: installed.filter(isWebhook),
    args: [
      '--leader-elect=false', '--diagnostics-address=127.0.0.1:18443', '--insecure-diagnostics', '--health-addr=127.0.0.1:19440',
      `--webhook-cert-dir=${dirname(webhookCa)}`, `--webhook-port=${webhookPort}`,
    ],
    webhookPort,
    env: { POD_NAME: 'capi-controller-manager', POD_UID: '00000000-0000-0000-0000-000000000000' },
  }));
}

/** The objects of a kustomization. */
export async function rendered(cluster: Cluster, folder: string): Promise<any[]> {
  const file = join(mkdtempSync(join(tmpdir(), 'kustomized-')), 'all.yaml');
  writeFileSync(file, await cluster.kubectl(['kustomize', folder]));
  return Yaml.load(file);
}

/** Roles that are the sum of others, as a controller manager has them. */
function aggregated(objects: any[]): any[] {
  return objects.map(({ aggregationRule, ...object }) => aggregationRule === undefined ? object : {
    ...object,
    rules: objects.filter(({ kind, metadata: { labels } }) => kind === 'ClusterRole' && labels?.['cluster.x-k8s.io/aggregate-to-manager'] === 'true')
      .flatMap(({ rules }) => rules),
  });
}

function definitionsOfProviders(): any[] {
  return Object.entries(OF_PROVIDERS).flatMap(([file, { contracts, made }]) => {
    const definition = JSON.parse(readFileSync(join(CRD_FOLDER, `${file}.json`), 'utf8'));
    return [definition, ...made === undefined ? [] : [fromTemplate(definition, made)]]
      .map(object => ({ ...object, metadata: { ...object.metadata, labels: contracts } }));
  });
}

/** The definition of what is made of a template. */
function fromTemplate({ spec: { versions, names: _, ...spec }, ...definition }: any, kind: string): any {
  const singular = kind.toLowerCase();
  return {
    ...definition,
    metadata: { name: `${singular}s.${spec.group}` },
    spec: {
      ...spec,
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular },
      versions: versions.map((version: any) => {
        const { spec: { properties: { template: { properties: { spec: made } } } }, ...others } = version.schema.openAPIV3Schema.properties;
        return {
          ...version,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: 'object', properties: { ...others, spec: made, status: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
          },
        };
      }),
    },
  };
}
