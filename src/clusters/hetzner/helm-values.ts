import { Endpoint } from '../../model/endpoint';

/** Helm values with which Cilium starts before Services and nodes work. */
export function ciliumValues({ host, port }: Endpoint): { [key: string]: any } {
  return {
    k8sServiceHost: host,
    k8sServicePort: String(port),
    // Nodes become ready through Cilium: its operator must not wait for that.
    operator: { hostNetwork: true, tolerations: [{ operator: 'Exists' }] },
  };
}

/** Helm values with which Hetzner's cloud controller manager starts before Services and nodes work. */
export function cloudControllerManagerValues({ host, port }: Endpoint): { [key: string]: any } {
  const tolerate = (key: string) => ({ key, operator: 'Exists', effect: 'NoSchedule' });
  return {
    env: {
      KUBERNETES_SERVICE_HOST: { value: host },
      KUBERNETES_SERVICE_PORT: { value: String(port) },
    },
    // The chart itself tolerates nodes that are not initialized, which they become through it.
    additionalTolerations: [tolerate('node.kubernetes.io/not-ready'), tolerate('node.kubernetes.io/unreachable')],
  };
}
