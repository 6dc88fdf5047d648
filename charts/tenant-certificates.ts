import type { Chart } from 'cdk8s';
import { Assignment, oneOf, yesOrNo } from './engine/choice';
import type { HelmChart, Release } from './engine/definition';
import type { Scope } from './engine/marks';
import { propDescription } from './engine/prop-description';
import { CLUSTER_DOMAIN, CONTROL_PLANE_NAME, NAMESPACE, SERVICE_ADDRESS } from './patterns';
import { MARKED_SERVICE_IPS, serviceNetworkOf } from './service-network';
import { markedWorkload, PULL_SECRETS, WORKLOAD_MARKS, WORKLOAD_VALUES, workloadProps, WorkloadValues } from './workload-values';
import { SETTINGS_KEY } from '../src/agent/contract/bundle';
import { IngressExposedControlPlane } from '../src/control-plane/ingress-exposed-control-plane';
import { bundleText } from '../src/delivery/bundle-settings';
import { SYNC_DELIVERY_DEFAULTS } from '../src/delivery/sync-pod';
import { TenantCertificates } from '../src/delivery/tenant-certificates';
import { TenantCharts } from '../src/delivery/tenant-charts';
import { TenantDelivery } from '../src/delivery/tenant-delivery';
import { ControlPlanePlatform } from '../src/platforms/control-plane-platform';
import { TCP_PROXY_DEFAULTS } from '../src/tcp-proxy/settings';
import { TcpProxyAddon } from '../src/tcp-proxy/tcp-proxy-addon';

/** A tenant whose certificate is kept. */
export interface CertificateTenantValues {
  readonly name: string;
  readonly platform: string;
  readonly kubernetesServiceIp: string;
  readonly clusterDomain?: string;
  readonly proxyName?: string;
  readonly proxyNamespace?: string;
}

/** Values of the chart of `sync` for certificates. */
export interface TenantCertificatesValues extends WorkloadValues {
  readonly namespaces: readonly { readonly name: string; readonly tenants: readonly CertificateTenantValues[] }[];
  readonly replicas: number;
  readonly networkPolicy: boolean;
}

const syncProp = (name: string) => propDescription('src/delivery/sync-props.ts', 'SyncProgramProps', name);
/** Of the name of a control plane and of its namespace, which are a label together. */
const LONGEST = 31;
const CLUSTER_DOMAIN_DEFAULT = 'cluster.local';

/** What names the Secrets of control planes; two that name them alike are two words. */
const PLATFORMS: { readonly [word: string]: () => ControlPlanePlatform } = {
  steward: () => ControlPlanePlatform.steward(),
  kamaji: () => ControlPlanePlatform.kamaji(),
  k0smotron: () => ControlPlanePlatform.k0smotron(),
};

const TENANT: { readonly [name in keyof Required<CertificateTenantValues>]: { readonly description: string; readonly schema: object } } = {
  name: { description: 'Name of the control plane.', schema: { ...CONTROL_PLANE_NAME, maxLength: LONGEST } },
  platform: { description: `The system that runs it, which names its Secrets: ${Object.keys(PLATFORMS).join(', ')}.`, schema: { enum: Object.keys(PLATFORMS) } },
  kubernetesServiceIp: { description: 'Address of the Service kubernetes in the tenant, as the chart tcp-proxy has it.', schema: SERVICE_ADDRESS },
  clusterDomain: {
    description: `${propDescription('src/model/tenant-network.ts', 'TenantNetwork', 'clusterDomain')} By default ${CLUSTER_DOMAIN_DEFAULT}.`, schema: CLUSTER_DOMAIN,
  },
  proxyName: { description: `Release of the chart tcp-proxy there, by default ${TCP_PROXY_DEFAULTS.name}; its Secret is <proxyName>-tls.`, schema: { ...CONTROL_PLANE_NAME, maxLength: 53 } },
  proxyNamespace: { description: `Namespace of that release, by default ${TCP_PROXY_DEFAULTS.namespace}.`, schema: NAMESPACE },
};

const VALUES: HelmChart<TenantCertificatesValues>['values'] = {
  namespaces: {
    description: [
      'The namespaces of control planes, each with name and tenants. Each tenant has:', ...Object.entries(TENANT).map(([name, { description }]) => `  ${name}: ${description}`),
    ].join('\n'),
    schema: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'tenants'],
        properties: {
          name: { ...NAMESPACE, maxLength: LONGEST, description: 'Name of the namespace.' },
          tenants: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['name', 'platform', 'kubernetesServiceIp'],
              properties: Object.fromEntries(Object.entries(TENANT).map(([name, { description, schema }]) => [name, { ...schema, description }])),
            },
          },
        },
      },
    },
    default: [],
  },
  replicas: { description: syncProp('replicas'), schema: { type: 'integer', minimum: 1, maximum: 1000 }, default: SYNC_DELIVERY_DEFAULTS.replicas },
  networkPolicy: { description: syncProp('networkPolicy'), schema: { type: 'boolean' }, default: false },
  ...WORKLOAD_VALUES,
};

const NAMESPACES: Scope = { open: 'range $namespace := $.Values.namespaces' };
const TENANTS: Scope = { open: 'range $tenant := $namespace.tenants', within: NAMESPACES };
const SAME_NAMESPACE = 'namespaces: two have the same name. Put their tenants into one list';
const REPLICAS = 987;
const MARKED = {
  namespace: 'marked-namespace',
  tenant: { name: 'marked-tenant', clusterDomain: 'marked-cluster-domain.example', proxyName: 'marked-proxy-name', proxyNamespace: 'marked-proxy-namespace' },
} as const;

function marked(chosen: Assignment): TenantCertificatesValues {
  const tenant = { ...MARKED.tenant, platform: chosen.platform, kubernetesServiceIp: MARKED_SERVICE_IPS.ipv4 };
  return {
    ...markedWorkload(chosen),
    namespaces: [{ name: MARKED.namespace, tenants: [tenant] }],
    replicas: REPLICAS,
    networkPolicy: chosen.networkPolicy === 'yes',
  };
}

function build(chart: Chart, values: TenantCertificatesValues, release: Release): void {
  const { namespaces, replicas, networkPolicy } = values;
  // The template makes one Role for each.
  if (new Set(namespaces.map(({ name }) => name)).size < namespaces.length) {
    throw new Error(SAME_NAMESPACE);
  }
  // Helm makes the namespace, with --create-namespace.
  new TenantCertificates(chart, 'certificates', { ...workloadProps(values), ...release, replicas, networkPolicy, createNamespace: false });
  const charts = new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.manifests() });
  for (const { name: namespace, tenants } of namespaces) {
    for (const { name, platform, kubernetesServiceIp, clusterDomain = CLUSTER_DOMAIN_DEFAULT, proxyName, proxyNamespace } of tenants) {
      const controlPlane = IngressExposedControlPlane.fromAttributes(chart, `${namespace}.${name}`, {
        namespace,
        name,
        platform: PLATFORMS[platform](),
        // The certificate is for names within the tenant.
        hostname: `${name}.${namespace}.example.com`,
        nodesReachable: true,
        endpointsOwnedByTcpProxy: true,
        network: serviceNetworkOf({ kubernetesServiceIp, clusterDomain }),
      });
      new TcpProxyAddon(charts.of(controlPlane), 'tcp-proxy', { controlPlane, name: proxyName, namespace: proxyNamespace });
    }
  }
}

/** What checksums in the settings of tenants are of. */
function digested(objects: readonly object[]): string[] {
  return objects.flatMap(object => (object as { data?: { [key: string]: string } }).data?.[SETTINGS_KEY] ?? []).map(text => {
    const { version: _version, part: _part, parts: _parts, checksum: _checksum, ...settings } = JSON.parse(text);
    return bundleText(settings, ['']);
  });
}

/** `sync` for the certificates of tcp-proxies, which is installed in the management cluster. */
export const TENANT_CERTIFICATES_CHART: HelmChart<TenantCertificatesValues> = {
  name: 'tenant-certificates',
  description: 'Keeps the serving certificates of tcp-proxies in tenant clusters, issued from the CA of each tenant',
  notes: [
    'Whoever may write ConfigMaps in the namespace {{ .Release.Namespace }} has certificates of tenants issued: it belongs to this release alone.',
    '',
    'How a tenant is doing:',
    '',
    '  kubectl -n {{ .Release.Namespace }} get configmaps -l app.kubernetes.io/name=tenant-status',
    '',
  ].join('\n'),
  values: VALUES,
  guards: [
    {
      before: '{{- $all := list }}{{- range $namespace := $.Values.namespaces }}{{- $all = append $all $namespace.name }}{{ end }}',
      refuses: 'ne (len $all) (len (uniq $all))',
      message: SAME_NAMESPACE,
    },
    {
      before: '{{- range $namespace := $.Values.namespaces }}{{- $all := list }}{{- range $tenant := $namespace.tenants }}{{- $all = append $all $tenant.name }}{{ end }}',
      refuses: 'ne (len $all) (len (uniq $all))',
      message: 'tenants: two of a namespace have the same name. Leave one out',
      after: '{{- end }}',
    },
  ],
  choices: [
    oneOf('platform', '$tenant.platform', Object.keys(PLATFORMS)),
    yesOrNo('networkPolicy', '$.Values.networkPolicy', true),
    { ...PULL_SECRETS, alone: true },
  ],
  marks: [
    { of: MARKED.namespace, expression: '$namespace.name', scope: NAMESPACES },
    { of: MARKED.tenant.name, expression: '$tenant.name', scope: TENANTS },
    { of: MARKED.tenant.clusterDomain, expression: `(default "${CLUSTER_DOMAIN_DEFAULT}" $tenant.clusterDomain)`, scope: TENANTS },
    { of: MARKED.tenant.proxyName, expression: `(default "${TCP_PROXY_DEFAULTS.name}" $tenant.proxyName)`, scope: TENANTS },
    { of: MARKED.tenant.proxyNamespace, expression: `(default "${TCP_PROXY_DEFAULTS.namespace}" $tenant.proxyNamespace)`, scope: TENANTS },
    { of: MARKED_SERVICE_IPS.ipv4, expression: '$tenant.kubernetesServiceIp', scope: TENANTS },
    { of: REPLICAS, expression: '$.Values.replicas' },
    ...WORKLOAD_MARKS,
  ],
  marked,
  build,
  digested,
};
