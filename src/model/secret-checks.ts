import type { AdminKubeconfigSecret, KeyPairSecret, PlatformSecrets } from './platform-secrets';
import { validateDataKey } from '../validation/data-key';
import { validateObjectName } from '../validation/object-name';
import { Checks, optional, someOf, struct } from '../validation/props';

const KEY_PAIR = struct<KeyPairSecret>({ secretName: validateObjectName, certificateKey: validateDataKey, privateKeyKey: validateDataKey });

/** The names of Secrets and keys that the user gives. */
export const SECRETS: Checks<PlatformSecrets> = {
  adminKubeconfig: optional(struct<AdminKubeconfigSecret>({ secretName: validateObjectName, keys: someOf(validateDataKey) })),
  clusterCa: optional(KEY_PAIR),
  apiServerCertificate: optional(KEY_PAIR),
};
