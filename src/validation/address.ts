import { validateDnsName } from './hostname';
import { ipFamily } from './ip-network';
import { validateText } from './text';

/** Checks an IP address or a DNS name. */
export function validateAddressOrName(field: string, host: string): string {
  return ipFamily(validateText(field, host)) ? host : validateDnsName(field, host);
}
