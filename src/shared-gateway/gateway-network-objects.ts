import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { CONTAINER } from './gateway-pod';
import type { ExternalTrafficPolicy } from './gateway-props';

/** Everything that the network objects of a gateway depend on. */
export interface GatewayNetworkOptions {
  readonly metadata: ApiObjectMetadata;
  readonly selectorLabels: { [name: string]: string };
  readonly sniPort: number;
  /** Public port that takes PROXY v2 headers; undefined for none. */
  readonly clusterIdPort?: number;
  readonly ipv6: boolean;
  readonly externalTrafficPolicy: ExternalTrafficPolicy;
  readonly loadBalancerClass?: string;
  readonly serviceAnnotations?: { [name: string]: string };
  readonly tenantNamespaceLabels: { [name: string]: string };
}

/** Emits the Service with the shared address. */
export function addLoadBalancer(scope: Construct, options: GatewayNetworkOptions): ApiObject {
  const { metadata, sniPort, clusterIdPort } = options;
  const port = (name: string, number: number) => ({ name, port: number, targetPort: k8s.IntOrString.fromString(name), protocol: 'TCP' });
  return new ApiObject(scope, 'load-balancer', k8s.KubeService.manifest({
    metadata: { ...metadata, annotations: options.serviceAnnotations },
    spec: {
      type: 'LoadBalancer',
      loadBalancerClass: options.loadBalancerClass,
      externalTrafficPolicy: options.externalTrafficPolicy,
      ipFamilyPolicy: options.ipv6 ? 'PreferDualStack' : 'SingleStack',
      selector: options.selectorLabels,
      ports: [port('sni', sniPort), ...(clusterIdPort === undefined ? [] : [port('cluster-id', clusterIdPort)])],
    },
  }));
}

/** Emits a headless Service for scraping metrics. */
export function addMetricsService(scope: Construct, { metadata, selectorLabels }: GatewayNetworkOptions): void {
  const { healthPort } = CONTAINER;
  new ApiObject(scope, 'metrics', k8s.KubeService.manifest({
    metadata: {
      ...metadata,
      name: `${metadata.name}-metrics`,
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(healthPort), 'prometheus.io/path': '/metrics' },
    },
    spec: {
      clusterIp: 'None',
      publishNotReadyAddresses: true,
      selector: selectorLabels,
      ports: [{ name: 'metrics', port: healthPort, targetPort: k8s.IntOrString.fromString('health'), protocol: 'TCP' }],
    },
  }));
}

/**
 * Emits the NetworkPolicy. Control planes are in other namespaces, so peers need a namespace selector; and a policy
 * sees the ports of pods, not those of Services, so it names none.
 */
export function addGatewayNetworkPolicy(scope: Construct, options: GatewayNetworkOptions): void {
  const { metadata, selectorLabels, clusterIdPort, tenantNamespaceLabels } = options;
  const port = (number: number, protocol = 'TCP') => ({ port: k8s.IntOrString.fromNumber(number), protocol });
  const listening = [CONTAINER.sniPort, ...(clusterIdPort === undefined ? [] : [CONTAINER.clusterIdPort]), CONTAINER.healthPort];
  new ApiObject(scope, 'network-policy', k8s.KubeNetworkPolicy.manifest({
    metadata,
    spec: {
      podSelector: { matchLabels: selectorLabels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: listening.map(number => port(number)) }],
      egress: [
        { to: [{ namespaceSelector: { matchLabels: tenantNamespaceLabels } }] },
        // 5353 is the port of OpenShift's DNS pods.
        { ports: [port(53), port(53, 'UDP'), port(5353), port(5353, 'UDP')] },
      ],
    },
  }));
}
