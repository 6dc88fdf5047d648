import { Endpoint } from '../control-plane/endpoint';

const toleration = (key: string) => ({ key, operator: 'Exists', effect: 'NoSchedule' });

/** Helm values for what must run in a cluster before its Services and nodes work. */
export const hetznerValues = {
  cilium({ host, port }: Endpoint): { [key: string]: any } {
    return {
      k8sServiceHost: host,
      k8sServicePort: String(port),
      // Nodes become ready through Cilium: its operator must not wait for that.
      operator: { hostNetwork: true, tolerations: [{ operator: 'Exists' }] },
    };
  },

  cloudControllerManager({ host, port }: Endpoint): { [key: string]: any } {
    return {
      env: {
        KUBERNETES_SERVICE_HOST: { value: host },
        KUBERNETES_SERVICE_PORT: { value: String(port) },
      },
      // Nodes become initialized through it.
      additionalTolerations: [toleration('node.kubernetes.io/not-ready'), toleration('node.kubernetes.io/unreachable')],
    };
  },
};
