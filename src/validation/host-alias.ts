import { validateDnsName } from './hostname';
import { invalidInput } from './invalid-input';
import { validateIpAddress } from './ip-network';
import { someOf } from './props';
import { required } from './required';

/** An entry of /etc/hosts; types of Kubernetes leave both parts out of what is required. */
interface HostAlias {
  readonly ip?: string;
  readonly hostnames?: string[];
}

/** Checks an entry of /etc/hosts of a pod: an address, and names for it. */
export function validateHostAlias(field: string, alias: HostAlias): void {
  const { ip, hostnames } = required(field, alias, 'Give ip and hostnames');
  if (ip === undefined || hostnames === undefined) {
    throw invalidInput(`${field}.${ip === undefined ? 'ip' : 'hostnames'}`, undefined, 'is not set', 'Give the address, and the names that resolve to it');
  }
  validateIpAddress(`${field}.ip`, ip);
  someOf(validateDnsName)(`${field}.hostnames`, hostnames);
}
