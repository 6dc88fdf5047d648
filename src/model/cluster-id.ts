import { invalidInput } from '../validation/invalid-input';
import { validateText } from '../validation/text';

export const CLUSTER_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** `PP2_TYPE_SSL` of the PROXY protocol, which HyperShift uses for the cluster ID all the same. */
export const HYPERSHIFT_TLV_TYPE = 0x20;
/** Not 0xE0, 0xEA or 0xEE, in which Google, AWS and Azure carry the IDs of private endpoints. */
const DEFAULT_TLV_TYPE = 0xe1;

/** Where in the PROXY header the cluster ID is. */
export interface TlvTypeOptions {
  readonly tlvType?: number;
  readonly hypershiftCompatibility?: boolean;
}

/** The type of the TLV that carries the cluster ID: one of the range for applications (PROXY protocol, section 2.2.8). */
export function resolveTlvType({ tlvType, hypershiftCompatibility }: TlvTypeOptions): number {
  const type = tlvType ?? (hypershiftCompatibility ? HYPERSHIFT_TLV_TYPE : DEFAULT_TLV_TYPE);
  if (type === HYPERSHIFT_TLV_TYPE && !hypershiftCompatibility) {
    throw invalidInput('tlvType', type, 'is 0x20, which the PROXY protocol reserves for TLS information and HyperShift uses for the cluster ID',
      'Set hypershiftCompatibility for proxies of HyperShift, or leave tlvType out');
  }
  if (type !== HYPERSHIFT_TLV_TYPE && !(Number.isInteger(type) && type >= 0xe0 && type <= 0xef)) {
    throw invalidInput('tlvType', type, 'is not in the range that the PROXY protocol leaves to applications', 'Give a number from 0xE0 to 0xEF');
  }
  return type;
}

/**
 * Checks a cluster ID. It is compared byte for byte and case-sensitively at the gateway, where it is a key in a map of
 * HAProxy; any of a UUID's and a DNS name's characters can stand there.
 */
export function validateClusterId(field: string, value: string): string {
  if (validateText(field, value) === '') {
    throw invalidInput(field, value, 'is empty, so every proxy without an ID would have it', 'Give an ID that no other tenant has, e.g. a UUID');
  }
  if (!CLUSTER_ID.test(value)) {
    throw invalidInput(field, value, 'is not a cluster ID', 'Use up to 128 letters, digits, ".", "_" and "-", starting with a letter or digit');
  }
  return value;
}

/** Checks a cluster ID of HyperShift, whose API takes UUIDs alone. */
export function validateUuid(field: string, value: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(validateText(field, value))) {
    throw invalidInput(field, value, 'is not a UUID in lower case', 'Give one, e.g. of uuidgen, and never change it');
  }
  return value;
}
