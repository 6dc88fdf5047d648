/** Port of the API server's Service, and of its load balancer; `spec.networking.apiServer.port` does not change it (`kas/service.go`). */
export const API_PORT = 6443;
const IBM_CLOUD_API_PORT = 2040;
export const KONNECTIVITY_PORT = 8091;

/** The Services of a hosted control plane. */
export const API_SERVICE = 'kube-apiserver';
export const KONNECTIVITY_SERVICE = 'konnectivity-server';
export const OAUTH_SERVICE = { name: 'oauth-openshift', port: 6443 } as const;
/** Routes lead to the proxy, which is there with node ports too. */
export const IGNITION_SERVICE = { name: 'ignition-server-proxy', port: 443 } as const;

/** @param platformType `spec.platform.type` */
export function apiServicePort(platformType: string | undefined): number {
  return platformType === 'IBMCloud' ? IBM_CLOUD_API_PORT : API_PORT;
}

/** Where HyperShift runs a control plane. */
export function hostedControlPlaneNamespace(name: string, namespace: string): string {
  return `${namespace}-${name}`;
}
