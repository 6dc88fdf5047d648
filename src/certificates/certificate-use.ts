import { Construct } from 'constructs';
import { Exposure } from '../model/exposure';
import { validateObjectName } from '../validation/object-name';
import { Checks, optional } from '../validation/props';

/** A certificate that `sync` keeps in the tenant cluster. */
export interface SyncedCertificateProps {
  /**
   * Name of the Secret beside the pods of the proxy.
   * @default - `<name of the proxy>-tls`
   */
  readonly secretName?: string;
}

export const SYNCED_CERTIFICATE: Checks<SyncedCertificateProps> = { secretName: optional(validateObjectName) };

/** A tcp-proxy that needs a certificate. */
export interface CertificateUse {
  readonly tcpProxy: Construct;
  /** Name of the proxy's objects. */
  readonly name: string;
  /** Namespace of the proxy in the tenant cluster. */
  readonly namespace: string;
  readonly exposure: Exposure;
  /** Addresses of its own that every node has for the proxy. */
  readonly advertiseAddresses: string[];
  /** Whether these are the API server's own, which its certificate carries. */
  readonly apiServerAdvertises: boolean;
}

/** The objects beside the proxy that its pods mount. */
export interface CertificateObjects {
  /** Secret of type `kubernetes.io/tls`. */
  readonly secretName: string;
  /** ConfigMap with the authorities that the upstream is verified with, under `ca.crt`. */
  readonly caConfigMapName: string;
}

/** The API server's controllers put the tenant CA under this name into every namespace. */
export const CLUSTER_CA_CONFIG_MAP = 'kube-root-ca.crt';

/** The addresses that clients in the tenant know the API server by. */
export function inClusterAddresses({ exposure, advertiseAddresses }: CertificateUse): string[] {
  return [...exposure.kubernetesServiceIps, ...advertiseAddresses];
}
