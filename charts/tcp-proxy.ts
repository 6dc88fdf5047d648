import type { Chart } from 'cdk8s';
import { Assignment, Choice, oneOf, yesOrNo } from './engine/choice';
import type { HelmChart, Release } from './engine/definition';
import { propDescription } from './engine/prop-description';
import { A_CLUSTER_ID, A_PORT, ADDRESS_OR_HOST, CLUSTER_DOMAIN, HOST, orEmpty, SECRET_NAME, SERVICE_ADDRESS } from './patterns';
import { MARKED_SERVICE_IPS, SERVICE_FAMILY, serviceNetworkOf } from './service-network';
import { markedWorkload, PULL_SECRETS, resourcesWith, WORKLOAD_MARKS, WORKLOAD_VALUES, workloadProps, WorkloadValues } from './workload-values';
import { TcpProxyCertificate } from '../src/certificates/tcp-proxy-certificate';
import { Exposure } from '../src/model/exposure';
import { SharedIngressGateway } from '../src/shared-gateway/shared-ingress-gateway';
import { TcpProxyPlacement } from '../src/tcp-proxy/placement';
import { defaultTcpProxyResources, TCP_PROXY_DEFAULTS } from '../src/tcp-proxy/settings';
import { TcpProxyAddon } from '../src/tcp-proxy/tcp-proxy-addon';
import { TcpProxyUpstream } from '../src/tcp-proxy/upstream';

/** Values of the chart of a tcp-proxy. */
export interface TcpProxyValues extends WorkloadValues {
  readonly host: string;
  readonly port: number;
  readonly upstream: string;
  readonly certificateSecret: string;
  readonly direct: { readonly host: string; readonly port: number };
  readonly gateway: { readonly host: string; readonly port: number; readonly clusterId: string };
  readonly placement: string;
  readonly replicas: number;
  readonly kubernetesServiceIp: string;
  readonly dualStack: boolean;
  readonly clusterDomain: string;
  readonly listenPort: number;
  readonly memoryLimit: string;
  readonly http2: boolean;
}

const PROPS = 'src/tcp-proxy/tcp-proxy-addon-props.ts';
const MEMORY_LIMITS = ['256Mi', '512Mi', '1Gi', '2Gi'] as const;
const GATEWAY_HOST = '(default $.Values.host $.Values.gateway.host)';

const VALUES: HelmChart<TcpProxyValues>['values'] = {
  host: { description: 'Public host of the API server, e.g. tenant-01.k8s.example.com.', schema: HOST },
  port: { description: 'Public port of the API server.', schema: A_PORT, default: 443 },
  upstream: {
    description: [
      `${propDescription(PROPS, 'TcpProxyAddonProps', 'upstream')}`,
      'sni: through the shared address; needs a certificate. gateway: through a shared gateway, by the cluster ID. direct: to an address that the nodes reach.',
    ].join('\n'),
    schema: { enum: ['sni', 'gateway', 'direct'] },
    default: 'sni',
  },
  certificateSecret: {
    description: 'Secret of type kubernetes.io/tls with the serving certificate, for sni. The chart tenant-certificates keeps one, or you do.',
    schema: SECRET_NAME,
    default: 'tcp-proxy-tls',
  },
  gateway: {
    values: {
      host: { description: 'Address or host of the gateway; that of the API server if empty.', schema: orEmpty(ADDRESS_OR_HOST), default: '' },
      port: { description: 'Its port for cluster IDs.', schema: A_PORT, default: 6443 },
      clusterId: { description: 'The ID of this tenant at the gateway.', schema: orEmpty(A_CLUSTER_ID), default: '' },
    },
  },
  direct: {
    values: {
      host: { description: 'Address or host that leads to the API server of this tenant alone.', schema: orEmpty(ADDRESS_OR_HOST), default: '' },
      port: { description: 'Port there, e.g. a NodePort.', schema: A_PORT, default: 6443 },
    },
  },
  placement: {
    description: `${propDescription(PROPS, 'TcpProxyAddonProps', 'placement')}\nreplicas: some nodes. everyNode: all of them.`,
    schema: { enum: ['replicas', 'everyNode'] },
    default: 'replicas',
  },
  replicas: {
    description: propDescription('src/tcp-proxy/placement.ts', 'ReplicasPlacementProps', 'replicas'),
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
    default: 2,
  },
  kubernetesServiceIp: {
    description: 'Address of the Service kubernetes in the tenant: kubectl -n default get service kubernetes -o jsonpath={.spec.clusterIP}',
    schema: SERVICE_ADDRESS,
  },
  dualStack: { description: 'Whether the Services of the tenant have networks of both address families.', schema: { type: 'boolean' }, default: false },
  clusterDomain: { description: propDescription('src/model/tenant-network.ts', 'TenantNetwork', 'clusterDomain'), schema: CLUSTER_DOMAIN, default: 'cluster.local' },
  listenPort: {
    description: propDescription(PROPS, 'TcpProxyAddonProps', 'listenPort'),
    schema: { type: 'integer', minimum: 1024, maximum: 65535, not: { const: TCP_PROXY_DEFAULTS.healthPort } },
    default: TCP_PROXY_DEFAULTS.listenPort,
  },
  http2: { description: propDescription(PROPS, 'TcpProxyAddonProps', 'http2'), schema: { type: 'boolean' }, default: true },
  memoryLimit: {
    description: 'Memory of a pod at most, from which the most connections follow.',
    schema: { enum: MEMORY_LIMITS },
    default: defaultTcpProxyResources().limits!.memory as string,
  },
  ...WORKLOAD_VALUES,
};

/** What is in an address, as HAProxy's configuration depends on it; a name where it is not that of the upstream. */
function kindOfHost(name: string, upstream: string, value: string): Choice {
  const isUpstream = `(eq $.Values.upstream "${upstream}")`;
  const isIpv4 = `(regexMatch "^[0-9.]+$" ${value})`;
  const isIpv6 = `(contains ":" ${value})`;
  return {
    name,
    options: { name: `not (and ${isUpstream} (or ${isIpv4} ${isIpv6}))`, ipv4: `and ${isUpstream} ${isIpv4}`, ipv6: `and ${isUpstream} ${isIpv6}` },
  };
}

const MARKED_HOSTS: { readonly [kind: string]: { readonly direct: string; readonly gateway: string } } = {
  name: { direct: 'marked-direct-host.example', gateway: 'marked-gateway-host.example' },
  ipv4: { direct: '198.51.100.11', gateway: '198.51.100.12' },
  ipv6: { direct: '2001:db8:51::11', gateway: '2001:db8:51::12' },
};

function marked(chosen: Assignment): TcpProxyValues | undefined {
  const { upstream, directHost, gatewayHost, placement, family, dualStack, memoryLimit, http2 } = chosen;
  const isPossible = (upstream === 'direct' || directHost === 'name') && (upstream === 'gateway' || gatewayHost === 'name') && (upstream === 'sni' || http2 === 'yes');
  return isPossible ? {
    ...markedWorkload(chosen),
    host: 'marked-host.example',
    port: 41001,
    upstream,
    certificateSecret: 'marked-certificate-secret',
    direct: { host: MARKED_HOSTS[directHost].direct, port: 41002 },
    gateway: { host: MARKED_HOSTS[gatewayHost].gateway, port: 41003, clusterId: 'marked-cluster-id' },
    placement,
    replicas: 41004,
    kubernetesServiceIp: MARKED_SERVICE_IPS[family],
    dualStack: dualStack === 'yes',
    clusterDomain: 'marked-cluster-domain.example',
    listenPort: 41005,
    memoryLimit,
    http2: http2 === 'yes',
  } : undefined;
}

function upstreamOf({ upstream, host, direct, gateway }: TcpProxyValues): TcpProxyUpstream {
  switch (upstream) {
    case 'direct': return TcpProxyUpstream.direct(direct);
    case 'gateway': return TcpProxyUpstream.sharedGateway(SharedIngressGateway.fromAttributes({ host: gateway.host || host, clusterIdPort: gateway.port }));
    default: return TcpProxyUpstream.sni();
  }
}

function build(chart: Chart, values: TcpProxyValues, release: Release): void {
  const { host, port, upstream, gateway, placement, replicas, certificateSecret, listenPort, memoryLimit, http2 } = values;
  new TcpProxyAddon(chart, 'tcp-proxy', {
    ...workloadProps(values),
    ...release,
    exposure: new Exposure({
      name: 'tenant', namespace: 'tenants', hostname: host, port, network: serviceNetworkOf(values), clusterId: upstream === 'gateway' ? gateway.clusterId : undefined,
    }),
    upstream: upstreamOf(values),
    placement: placement === 'replicas' ? TcpProxyPlacement.replicas({ replicas }) : TcpProxyPlacement.everyNode(),
    listenPort,
    resources: resourcesWith(defaultTcpProxyResources(), memoryLimit),
    ...upstream === 'sni' ? { certificate: TcpProxyCertificate.existingSecret(certificateSecret), http2 } : {},
  });
}

/** The tcp-proxy of a tenant cluster, which is installed there. */
export const TCP_PROXY_CHART: HelmChart<TcpProxyValues> = {
  name: 'tcp-proxy',
  description: 'Makes kubernetes.default.svc work in a tenant cluster whose API server is behind a shared address',
  notes: [
    'The API server of this tenant must run with --endpoint-reconciler-type=none: the proxy owns default/kubernetes.',
    '{{- if eq .Values.upstream "sni" }}',
    'The pods wait for the Secret {{ .Release.Namespace }}/{{ .Values.certificateSecret }}.',
    '{{- end }}',
    '',
    '  kubectl -n {{ .Release.Namespace }} get pods -l app.kubernetes.io/instance={{ .Release.Name }}',
    '  kubectl -n default get endpointslices -l kubernetes.io/service-name=kubernetes',
    '',
  ].join('\n'),
  values: VALUES,
  guards: [
    { refuses: 'and (eq $.Values.upstream "direct") (not $.Values.direct.host)', message: 'direct.host: must be given for upstream direct' },
    {
      refuses: 'and (eq $.Values.upstream "direct") (eq $.Values.direct.host $.Values.host) (eq (int $.Values.direct.port) (int $.Values.port))',
      message: 'direct.host: is the shared address, which cannot route raw TCP of clients that send no server name. Give an address that leads to this API server alone',
    },
    { refuses: 'and (eq $.Values.upstream "gateway") (not $.Values.gateway.clusterId)', message: 'gateway.clusterId: must be given for upstream gateway' },
  ],
  choices: [
    oneOf('upstream', '$.Values.upstream', ['sni', 'gateway', 'direct']),
    kindOfHost('directHost', 'direct', '$.Values.direct.host'),
    kindOfHost('gatewayHost', 'gateway', GATEWAY_HOST),
    yesOrNo('http2', 'or $.Values.http2 (ne $.Values.upstream "sni")'),
    oneOf('placement', '$.Values.placement', ['replicas', 'everyNode']),
    SERVICE_FAMILY,
    yesOrNo('dualStack', '$.Values.dualStack'),
    oneOf('memoryLimit', '$.Values.memoryLimit', MEMORY_LIMITS),
    PULL_SECRETS,
  ],
  marks: [
    { of: 'marked-host.example', expression: '$.Values.host' },
    { of: 41001, expression: '$.Values.port' },
    { of: 'marked-certificate-secret', expression: '$.Values.certificateSecret' },
    ...Object.values(MARKED_HOSTS).flatMap(({ direct, gateway }) => [{ of: direct, expression: '$.Values.direct.host' }, { of: gateway, expression: GATEWAY_HOST }]),
    { of: 41002, expression: '$.Values.direct.port' },
    { of: 41003, expression: '$.Values.gateway.port' },
    { of: 'marked-cluster-id', expression: '$.Values.gateway.clusterId' },
    { of: 41004, expression: '$.Values.replicas' },
    ...Object.values(MARKED_SERVICE_IPS).map(of => ({ of, expression: '$.Values.kubernetesServiceIp' })),
    { of: 'marked-cluster-domain.example', expression: '$.Values.clusterDomain' },
    { of: 41005, expression: '$.Values.listenPort' },
    ...WORKLOAD_MARKS,
  ],
  marked,
  build,
};
