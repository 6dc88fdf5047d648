import { PlatformSecrets } from '../model/platform-secrets';
import { validateDnsName } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { validateText } from '../validation/text';

/** Checks the names of Secrets and keys that the user gives. */
export function validateSecrets({ adminKubeconfig, clusterCa, apiServerCertificate }: PlatformSecrets): void {
  if (adminKubeconfig) {
    validateDnsName('adminKubeconfig.secretName', adminKubeconfig.secretName);
    if (adminKubeconfig.keys.length === 0) {
      throw invalidInput('adminKubeconfig.keys', adminKubeconfig.keys, 'is empty', 'Name the key of the Secret that has the kubeconfig, e.g. "value"');
    }
    adminKubeconfig.keys.forEach((key, i) => validateKey(`adminKubeconfig.keys[${i}]`, key));
  }
  for (const [field, pair] of Object.entries({ clusterCa, apiServerCertificate })) {
    if (pair) {
      validateDnsName(`${field}.secretName`, pair.secretName);
      validateKey(`${field}.certificateKey`, pair.certificateKey);
      validateKey(`${field}.privateKeyKey`, pair.privateKeyKey);
    }
  }
}

/** As the Kubernetes API does (`IsConfigMapKey`). */
function validateKey(field: string, key: string): void {
  if (!/^[-._a-zA-Z0-9]{1,253}$/.test(validateText(field, key)) || /^\.\.?$/.test(key) || key.startsWith('..')) {
    throw invalidInput(field, key, 'is not a key of a Secret', 'Use letters, digits, "-", "_" and "."');
  }
}
