import type { Chart } from 'cdk8s';
import { Assignment, oneOf, yesOrNo } from './engine/choice';
import type { HelmChart, Release } from './engine/definition';
import type { Scope } from './engine/marks';
import { propDescription } from './engine/prop-description';
import { A_CLUSTER_ID, A_PORT, ANNOTATION_KEY, CLUSTER_DOMAIN, CONTROL_PLANE_NAME, HOST, LABEL_KEY, NAMESPACE, orEmpty, SOURCE_NETWORK } from './patterns';
import { markedWorkload, PULL_SECRETS, resourcesWith, WORKLOAD_MARKS, WORKLOAD_VALUES, workloadProps, WorkloadValues } from './workload-values';
import { Exposure } from '../src/model/exposure';
import { ExternalTrafficPolicy } from '../src/shared-gateway/gateway-props';
import { defaultGatewayResources, SHARED_GATEWAY_DEFAULTS } from '../src/shared-gateway/settings';
import { SharedIngressGateway } from '../src/shared-gateway/shared-ingress-gateway';

/** A control plane behind a gateway. */
export interface GatewayTenantValues {
  readonly name: string;
  readonly namespace: string;
  readonly host: string;
  readonly konnectivityHost?: string;
  readonly service?: string;
  readonly port?: number;
  readonly konnectivityPort?: number;
  readonly clusterId?: string;
  readonly allowedCidrs?: readonly string[];
}

/** Values of the chart of a shared gateway. */
export interface GatewayValues extends WorkloadValues {
  readonly tenants: readonly GatewayTenantValues[];
  readonly sniPort: number;
  readonly clusterIdPort: number;
  readonly externalTrafficPolicy: string;
  readonly nodePorts: boolean;
  readonly loadBalancerClass: string;
  readonly serviceAnnotations: { readonly [key: string]: string };
  readonly ipv6: boolean;
  readonly networkPolicy: boolean;
  readonly clusterDomain: string;
  readonly replicas: number;
  readonly memoryLimit: string;
}

const PROPS = 'src/shared-gateway/gateway-props.ts';
const gatewayProp = (name: string) => propDescription(PROPS, 'SharedIngressGatewayProps', name);
const exposureProp = (type: string, name: string) => propDescription('src/model/exposure-props.ts', type, name);
const MEMORY_LIMITS = ['512Mi', '1Gi', '2Gi', '4Gi'] as const;
const BACKEND = { port: 6443, konnectivityPort: 8132 } as const;

const TENANT: { readonly [name in keyof Required<GatewayTenantValues>]: { readonly description: string; readonly schema: object } } = {
  name: { description: exposureProp('ExposureProps', 'name'), schema: CONTROL_PLANE_NAME },
  namespace: { description: exposureProp('ExposureProps', 'namespace'), schema: NAMESPACE },
  host: { description: exposureProp('ExposureProps', 'hostname'), schema: HOST },
  konnectivityHost: { description: `${exposureProp('KonnectivityExposure', 'hostname')} Without it there is no konnectivity.`, schema: HOST },
  service: { description: `${exposureProp('ExposureBackend', 'serviceName')} By default it is called as the control plane.`, schema: CONTROL_PLANE_NAME },
  port: { description: `${exposureProp('ExposureBackend', 'apiPort')} By default ${BACKEND.port}.`, schema: A_PORT },
  konnectivityPort: { description: `${exposureProp('ExposureBackend', 'konnectivityPort')} By default ${BACKEND.konnectivityPort}.`, schema: A_PORT },
  clusterId: { description: exposureProp('ExposureProps', 'clusterId'), schema: A_CLUSTER_ID },
  allowedCidrs: {
    description: 'Networks that may connect, in CIDR notation; everybody without it.',
    schema: { type: 'array', items: SOURCE_NETWORK, minItems: 1, maxItems: 100, uniqueItems: true },
  },
};

const VALUES: HelmChart<GatewayValues>['values'] = {
  tenants: {
    description: ['The control planes. Each has:', ...Object.entries(TENANT).map(([name, { description }]) => `  ${name}: ${description}`)].join('\n'),
    schema: {
      type: 'array',
      maxItems: 2500,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'namespace', 'host'],
        properties: Object.fromEntries(Object.entries(TENANT).map(([name, { description, schema }]) => [name, { ...schema, description }])),
      },
    },
    default: [],
  },
  sniPort: { description: gatewayProp('sniPort'), schema: A_PORT, default: SHARED_GATEWAY_DEFAULTS.sniPort },
  clusterIdPort: { description: gatewayProp('clusterIdPort'), schema: A_PORT, default: SHARED_GATEWAY_DEFAULTS.clusterIdPort },
  externalTrafficPolicy: { description: gatewayProp('externalTrafficPolicy'), schema: { enum: Object.values(ExternalTrafficPolicy) }, default: ExternalTrafficPolicy.LOCAL },
  nodePorts: { description: gatewayProp('nodePorts'), schema: { type: 'boolean' }, default: true },
  loadBalancerClass: { description: gatewayProp('loadBalancerClass'), schema: orEmpty(LABEL_KEY), default: '' },
  serviceAnnotations: {
    description: gatewayProp('serviceAnnotations'),
    schema: { type: 'object', propertyNames: ANNOTATION_KEY, additionalProperties: { type: 'string', maxLength: 4096 }, maxProperties: 50 },
    default: {},
  },
  ipv6: { description: gatewayProp('ipv6'), schema: { type: 'boolean' }, default: true },
  networkPolicy: { description: gatewayProp('networkPolicy'), schema: { type: 'boolean' }, default: true },
  clusterDomain: { description: gatewayProp('clusterDomain'), schema: CLUSTER_DOMAIN, default: SHARED_GATEWAY_DEFAULTS.clusterDomain },
  replicas: { description: gatewayProp('replicas'), schema: { type: 'integer', minimum: 1, maximum: 1000 }, default: SHARED_GATEWAY_DEFAULTS.replicas },
  memoryLimit: {
    description: 'Memory of a pod at most, from which the most connections follow.',
    schema: { enum: MEMORY_LIMITS },
    default: defaultGatewayResources().limits!.memory as string,
  },
  ...WORKLOAD_VALUES,
};

const TENANTS: Scope = { open: 'range $tenant := $.Values.tenants' };
const SOURCES: Scope = { open: 'range $source := $tenant.allowedCidrs', within: TENANTS };
const ANNOTATIONS: Scope = { open: 'range $key, $value := $.Values.serviceAnnotations' };

const MARKED = {
  tenant: {
    name: 'marked-tenant-name',
    namespace: 'marked-tenant-namespace',
    host: 'marked-tenant-host.example',
    konnectivityHost: 'marked-konnectivity-host.example',
    service: 'marked-tenant-service',
    port: 42001,
    konnectivityPort: 42002,
    clusterId: 'marked-cluster-id',
    allowedCidrs: ['198.51.100.0/24'],
  },
  sniPort: 42003,
  clusterIdPort: 42004,
  loadBalancerClass: 'marked-class',
  annotation: ['marked-annotation-key', 'marked-annotation-value'],
  clusterDomain: 'marked-cluster-domain.example',
  replicas: 987,
} as const;

function marked(chosen: Assignment): GatewayValues | undefined {
  const { konnectivityHost, clusterId, allowedCidrs, ...tenant } = MARKED.tenant;
  const isChosen = (choice: string) => chosen[choice] === 'yes';
  if (chosen.externalTrafficPolicy === 'Cluster' && isChosen('allowedCidrs')) {
    return undefined;
  }
  return {
    ...markedWorkload(chosen),
    tenants: [{
      ...tenant,
      ...isChosen('konnectivity') ? { konnectivityHost } : {},
      ...isChosen('clusterId') ? { clusterId } : {},
      ...isChosen('allowedCidrs') ? { allowedCidrs } : {},
    }],
    sniPort: MARKED.sniPort,
    clusterIdPort: MARKED.clusterIdPort,
    externalTrafficPolicy: chosen.externalTrafficPolicy,
    nodePorts: isChosen('nodePorts'),
    loadBalancerClass: isChosen('loadBalancerClass') ? MARKED.loadBalancerClass : '',
    serviceAnnotations: isChosen('annotations') ? Object.fromEntries([MARKED.annotation]) : {},
    ipv6: isChosen('ipv6'),
    networkPolicy: isChosen('networkPolicy'),
    clusterDomain: MARKED.clusterDomain,
    replicas: MARKED.replicas,
    memoryLimit: chosen.memoryLimit,
  };
}

function build(chart: Chart, values: GatewayValues, release: Release): void {
  const { tenants, externalTrafficPolicy, loadBalancerClass, serviceAnnotations, memoryLimit, sniPort } = values;
  const { clusterIdPort, nodePorts, ipv6, networkPolicy, clusterDomain, replicas } = values;
  const gateway = new SharedIngressGateway(chart, 'gateway', {
    ...workloadProps(values),
    ...release,
    sniPort,
    clusterIdPort,
    nodePorts,
    ipv6,
    networkPolicy,
    clusterDomain,
    replicas,
    externalTrafficPolicy: externalTrafficPolicy as ExternalTrafficPolicy,
    loadBalancerClass: loadBalancerClass || undefined,
    serviceAnnotations: Object.keys(serviceAnnotations).length > 0 ? { ...serviceAnnotations } : undefined,
    // A chart has one ConfigMap: a template cannot tell where a hash of a name leads.
    routeShards: 1,
    resources: resourcesWith(defaultGatewayResources(), memoryLimit),
  });
  for (const { name, namespace, host, konnectivityHost, service, port, konnectivityPort, clusterId, allowedCidrs } of tenants) {
    gateway.register(new Exposure({
      name,
      namespace,
      clusterId,
      hostname: host,
      port: sniPort,
      konnectivity: konnectivityHost === undefined ? undefined : { hostname: konnectivityHost },
      backend: { serviceName: service ?? name, apiPort: port ?? BACKEND.port, konnectivityPort: konnectivityPort ?? BACKEND.konnectivityPort },
    }), { allowedCidrs: allowedCidrs && [...allowedCidrs] });
  }
}

/** Refuses two tenants that have one of these in common. */
function distinct(what: string, expressions: readonly string[]) {
  const collected = expressions.map(expression => `{{- with ${expression} }}{{ $all = append $all . }}{{ end }}`).join('');
  return {
    before: `{{- $all := list }}{{- range $tenant := $.Values.tenants }}${collected}{{ end }}`,
    refuses: 'ne (len $all) (len (uniq $all))',
    message: `tenants: two have the same ${what}; a shared gateway would have to choose. Give each its own`,
  };
}

/** A shared gateway, which is installed in the management cluster. */
export const GATEWAY_CHART: HelmChart<GatewayValues> = {
  name: 'shared-ingress-gateway',
  description: 'One shared address for the API servers of hosted control planes, on HAProxy',
  notes: [
    'The hosts of all tenants must resolve to the address of this Service:',
    '',
    '  kubectl -n {{ .Release.Namespace }} get service {{ .Release.Name }}',
    '',
    'A change of tenants takes "helm upgrade", and no pod restarts for it.',
    '',
  ].join('\n'),
  values: VALUES,
  guards: [
    { refuses: 'eq (int $.Values.sniPort) (int $.Values.clusterIdPort)', message: 'clusterIdPort: is also the sniPort. Give the two different ports' },
    {
      before: '{{- range $tenant := $.Values.tenants }}{{- if and $tenant.allowedCidrs (eq $.Values.externalTrafficPolicy "Cluster") }}',
      refuses: 'true',
      message: 'allowedCidrs: cannot be enforced: with externalTrafficPolicy Cluster sources are nodes. Use Local',
      after: '{{- end }}{{- end }}',
    },
    distinct('namespace and name', ['(printf "%s/%s" $tenant.namespace $tenant.name)']),
    distinct('host', ['$tenant.host', '$tenant.konnectivityHost']),
    distinct('clusterId', ['$tenant.clusterId']),
  ],
  choices: [
    yesOrNo('konnectivity', '$tenant.konnectivityHost'),
    yesOrNo('clusterId', '$tenant.clusterId'),
    yesOrNo('allowedCidrs', '$tenant.allowedCidrs'),
    oneOf('externalTrafficPolicy', '$.Values.externalTrafficPolicy', Object.values(ExternalTrafficPolicy)),
    oneOf('memoryLimit', '$.Values.memoryLimit', MEMORY_LIMITS),
    yesOrNo('ipv6', '$.Values.ipv6', true),
    yesOrNo('nodePorts', '$.Values.nodePorts', true),
    yesOrNo('loadBalancerClass', '$.Values.loadBalancerClass', true),
    yesOrNo('annotations', '$.Values.serviceAnnotations', true),
    yesOrNo('networkPolicy', '$.Values.networkPolicy', true),
    { ...PULL_SECRETS, alone: true },
  ],
  marks: [
    { of: MARKED.tenant.name, expression: '$tenant.name', scope: TENANTS },
    { of: MARKED.tenant.namespace, expression: '$tenant.namespace', scope: TENANTS },
    { of: MARKED.tenant.host, expression: '$tenant.host', scope: TENANTS },
    { of: MARKED.tenant.konnectivityHost, expression: '$tenant.konnectivityHost', scope: TENANTS },
    { of: MARKED.tenant.service, expression: '(default $tenant.name $tenant.service)', scope: TENANTS },
    { of: MARKED.tenant.port, expression: `default ${BACKEND.port} $tenant.port`, scope: TENANTS },
    { of: MARKED.tenant.konnectivityPort, expression: `default ${BACKEND.konnectivityPort} $tenant.konnectivityPort`, scope: TENANTS },
    { of: MARKED.tenant.clusterId, expression: '$tenant.clusterId', scope: TENANTS },
    { of: MARKED.tenant.allowedCidrs[0], expression: '$source', scope: SOURCES },
    { of: MARKED.sniPort, expression: '$.Values.sniPort' },
    { of: MARKED.clusterIdPort, expression: '$.Values.clusterIdPort' },
    { of: MARKED.loadBalancerClass, expression: '$.Values.loadBalancerClass' },
    { of: MARKED.annotation[0], expression: '$key', scope: ANNOTATIONS },
    { of: MARKED.annotation[1], expression: '$value', scope: ANNOTATIONS },
    { of: MARKED.clusterDomain, expression: '$.Values.clusterDomain' },
    { of: MARKED.replicas, expression: '$.Values.replicas' },
    ...WORKLOAD_MARKS,
  ],
  marked,
  build,
};
