/**
 * A Secret of the management cluster with a kubeconfig for the administrator of a tenant cluster. It is in the namespace of
 * the control plane.
 */
export interface AdminKubeconfigSecret {
  /** Name of the Secret. */
  readonly secretName: string;
  /** Its keys that hold a kubeconfig; the first that the Secret has is used. */
  readonly keys: string[];
}

/**
 * A Secret of the management cluster with a certificate and its private key, in PEM. It is in the namespace of the control
 * plane.
 */
export interface KeyPairSecret {
  /** Name of the Secret. */
  readonly secretName: string;
  /** Its key that holds the certificate. */
  readonly certificateKey: string;
  /** Its key that holds the private key. */
  readonly privateKeyKey: string;
}

/** The Secrets that a platform's operator keeps for a control plane. */
export interface PlatformSecrets {
  /**
   * The administrator's kubeconfig.
   * @default - not known: what reaches into the tenant cluster needs it given
   */
  readonly adminKubeconfig?: AdminKubeconfigSecret;
  /**
   * The certificate authority of the tenant cluster.
   * @default - not known: what issues certificates for the tenant cluster needs it given
   */
  readonly clusterCa?: KeyPairSecret;
  /**
   * The serving certificate of the API server.
   * @default - not known
   */
  readonly apiServerCertificate?: KeyPairSecret;
}
