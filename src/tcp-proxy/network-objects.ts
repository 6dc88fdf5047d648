import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { PodOptions } from './pod';
import { KUBERNETES_SERVICE } from '../agent/contract/rbac';
import { networkPolicyManifest, serviceManifest } from '../objects/kubernetes';

/**
 * Emits the selector of the Service `kubernetes`, which exists in every cluster. Addresses of pods that are
 * not ready are published too: a node becomes ready only after its components have reached the API server.
 */
export function addKubernetesService(scope: Construct, { workload, settings }: PodOptions): void {
  new ApiObject(scope, 'kubernetes-service', serviceManifest({
    metadata: { ...KUBERNETES_SERVICE, labels: { ...workload.metadata.labels, component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      publishNotReadyAddresses: true,
      selector: workload.selectorLabels,
      ports: [{ name: 'https', port: 443, targetPort: settings.haproxy.listenPort, protocol: 'TCP' }],
    },
  }));
}

/** Emits a NetworkPolicy: in on the two ports of the proxy, out to DNS and to the upstream. */
export function addNetworkPolicy(scope: Construct, { workload, settings, exposure }: PodOptions, upstreamPort: number): void {
  const tcp = (port: number) => ({ port: port, protocol: 'TCP' });
  const dns = [tcp(53), { port: 53, protocol: 'UDP' }];
  // The agent reaches the API server through the shared address whatever the upstream is.
  const out = [...new Set([upstreamPort, exposure.api.port])].map(tcp);
  new ApiObject(scope, 'network-policy', networkPolicyManifest({
    metadata: workload.metadata,
    spec: {
      podSelector: { matchLabels: workload.selectorLabels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [tcp(settings.haproxy.listenPort), tcp(settings.healthPort)] }],
      egress: [{ ports: [...out, ...dns] }],
    },
  }));
}
