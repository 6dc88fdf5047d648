import { ApiObject } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { PodOptions } from './pod';
import { Target } from './workload';

/** Emits a headless Service for scraping metrics. */
export function addScrapeService(scope: Construct, options: PodOptions, metadata: Target): void {
  new ApiObject(scope, 'service', k8s.KubeService.manifest({
    metadata: {
      ...metadata,
      annotations: {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(options.healthPort),
        'prometheus.io/path': '/metrics',
      },
    },
    spec: {
      clusterIp: 'None',
      publishNotReadyAddresses: true,
      selector: options.selectorLabels,
      ports: [{ name: 'metrics', port: options.healthPort, targetPort: k8s.IntOrString.fromString('health'), protocol: 'TCP' }],
    },
  }));
}

/**
 * Emits the selector of the Service `kubernetes`, which exists in every cluster. Addresses of pods that are
 * not ready are published too: a node becomes ready only after its components have reached the API server.
 */
export function addKubernetesService(scope: Construct, options: PodOptions, labels: { [name: string]: string }): void {
  new ApiObject(scope, 'kubernetes-service', k8s.KubeService.manifest({
    metadata: { name: 'kubernetes', namespace: 'default', labels: { ...labels, component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      publishNotReadyAddresses: true,
      selector: options.selectorLabels,
      ports: [{ name: 'https', port: 443, targetPort: k8s.IntOrString.fromNumber(options.listenPort), protocol: 'TCP' }],
    },
  }));
}

/** Emits a NetworkPolicy: in on the two ports of the proxy, out to DNS and to the upstream. */
export function addNetworkPolicy(scope: Construct, options: PodOptions, metadata: Target, upstreamPort: number): void {
  const tcp = (port: number) => ({ port: k8s.IntOrString.fromNumber(port), protocol: 'TCP' });
  const dns = [tcp(53), { port: k8s.IntOrString.fromNumber(53), protocol: 'UDP' }];
  // The agent reaches the API server through the shared address whatever the upstream is.
  const out = [...new Set([upstreamPort, options.exposure.api.port])].map(tcp);
  new ApiObject(scope, 'network-policy', k8s.KubeNetworkPolicy.manifest({
    metadata,
    spec: {
      podSelector: { matchLabels: options.selectorLabels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [tcp(options.listenPort), tcp(options.healthPort)] }],
      egress: [{ ports: [...out, ...dns] }],
    },
  }));
}
