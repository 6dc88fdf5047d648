import { invalidInput } from '../../validation/invalid-input';
import { requireText } from '../../validation/text';

/** Checks what the schema of a HetznerCluster and Hetzner's API want of the names of SSH keys. */
export function validateSshKeyNames(field: string, names: string[]): string[] {
  names.forEach((name, i) => {
    requireText(`${field}[${i}]`, name, 'Give the name of an SSH key in the Hetzner Cloud project');
    if (names.indexOf(name) !== i) {
      throw invalidInput(`${field}[${i}]`, name, 'occurs twice', 'List each key once');
    }
  });
  return names;
}
