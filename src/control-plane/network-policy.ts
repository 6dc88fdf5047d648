import { ApiObject } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { Exposure } from './exposure';
import { invalidInput } from '../validation/invalid-input';
import { validateDns1123Label } from '../validation/name';

/** Who may connect to a control plane inside the management cluster. */
export interface ControlPlaneNetworkPolicy {
  /**
   * Namespaces whose pods may connect: that of the ingress controller, and those of whoever else needs the API server
   * inside the management cluster, e.g. the platform's operator.
   */
  readonly namespaces: string[];
}

/** Emits a NetworkPolicy that lets the given namespaces reach every exposed port of the control plane, and nobody else. */
export function addControlPlaneNetworkPolicy(
  scope: Construct,
  exposure: Exposure,
  podLabels: { [name: string]: string } | undefined,
  policy: ControlPlaneNetworkPolicy,
  labels: { [name: string]: string },
): ApiObject {
  if (!podLabels) {
    throw invalidInput('networkPolicy', policy, 'cannot select the pods of this platform, which does not say how they are labelled',
      'Leave it out and write the NetworkPolicy yourself, or return podLabels from the defaults() of the platform');
  }
  if (policy.namespaces.length === 0) {
    throw invalidInput('networkPolicy.namespaces', policy.namespaces, 'is empty, which would let nobody in',
      'Name the namespace of the ingress controller and that of the operator');
  }
  policy.namespaces.forEach((namespace, i) => validateDns1123Label(`networkPolicy.namespaces[${i}]`, namespace));
  // Only the control plane's own pods: a TLS service may have others.
  const [{ serviceName }] = exposure.routes;
  const ports = exposure.routes.filter(route => route.serviceName === serviceName).map(route => route.servicePort);
  return new ApiObject(scope, 'network-policy', k8s.KubeNetworkPolicy.manifest({
    metadata: { name: exposure.name, namespace: exposure.namespace, labels },
    spec: {
      podSelector: { matchLabels: podLabels },
      policyTypes: ['Ingress'],
      ingress: [{
        from: policy.namespaces.map(name => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } })),
        ports: [...new Set(ports)].map(port => ({ port: k8s.IntOrString.fromNumber(port), protocol: 'TCP' })),
      }],
    },
  }));
}
