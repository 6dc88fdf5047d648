import { createHash } from 'crypto';

/** Port of kube-apiserver unless the user says otherwise. */
export const DEFAULT_API_PORT = 30443;
/** Port of the konnectivity server unless the user says otherwise. */
export const DEFAULT_KONNECTIVITY_PORT = 30132;
/** The in-cluster names that every k0s has in the API server's certificate (its `Certificates.Init`). */
export const NAMES_OF_K0S = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];

const SERVICE_SUFFIXES: { [type: string]: string } = { NodePort: '-nodeport', LoadBalancer: '-lb' };
const MAX_NAME = 63;
const KEPT_OF_LONG_NAME = 57;
const HASH_LENGTH = 5;

/**
 * The Service that k0smotron makes for a cluster.
 *
 * @param cluster name of the k0smotron Cluster; under Cluster API that of the Cluster API Cluster
 * @param type    of the Service, as Kubernetes names it
 */
export function serviceName(cluster: string, type: string): string {
  return shortened(`kmc-${cluster}${SERVICE_SUFFIXES[type] ?? ''}`);
}

/** As k0smotron shortens names (`kubernetes.GetName`): 57 characters and five of the MD5 sum of the whole name. */
export function shortened(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, KEPT_OF_LONG_NAME)}-${createHash('md5').update(name).digest('hex').slice(0, HASH_LENGTH)}`;
}
