import type { Schema } from './engine/values';
import { LogLevel } from '../src/agent/contract/log-level';
import { CLUSTER_ID } from '../src/model/cluster-id';
import { DNS_LABEL, ENDS_IN_NUMBER, IN_CLUSTER_NAME } from '../src/validation/hostname';
import { IMAGE, LONGEST_IMAGE } from '../src/validation/image-reference';
import { LABEL_NAME } from '../src/validation/labels';
import { DNS_1035_LABEL, DNS_1123_LABEL } from '../src/validation/name';
import { SUBDOMAIN } from '../src/validation/object-name';

/*
 * What values may be, for a schema: from the patterns of the library's own checks, and never more than these take. `helm` matches
 * patterns as Go does, which knows no look-ahead.
 */

const octets = (first: string) => `(${first})(\\.(0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])){3}`;
/** Without 0, loopback and multicast. */
const UNICAST = '[1-9]|[1-9]\\d|1[013-9]\\d|12[0-68-9]|2[01]\\d|22[0-3]';
const GROUP = '[1-9a-f][0-9a-f]{0,3}';

const text = (pattern: RegExp | string, maxLength: number): Schema => ({ type: 'string', pattern: typeof pattern === 'string' ? pattern : pattern.source, maxLength });
const labels = DNS_LABEL.source.replace(/^\^|\$$/g, '').replace('*', '{0,61}');

/** Host of an endpoint: with a domain, and no address or what is like one. */
export const HOST: Schema = { ...text(`^${labels}(\\.${labels})+$`, 253), not: { pattern: `${ENDS_IN_NUMBER.source}|${IN_CLUSTER_NAME.source}` } };
/** IPv4 address of another machine. */
export const IPV4: Schema = text(`^${octets(UNICAST)}$`, 15);
/** IPv6 address in its short form, of another machine. */
export const IPV6: Schema = text('^[23][0-9a-f]{3}(:[1-9a-f][0-9a-f]{0,3}){1,3}::[1-9a-f][0-9a-f]{0,3}$|^fd[0-9a-f]{2}(:[1-9a-f][0-9a-f]{0,3}){1,3}::[1-9a-f][0-9a-f]{0,3}$', 39);
/** Host or address of another machine. */
export const ADDRESS_OR_HOST: Schema = { type: 'string', anyOf: [HOST, IPV4, IPV6] };
/** First address of a Service network: Kubernetes wants 8 addresses at least. */
export const SERVICE_ADDRESS: Schema = {
  type: 'string',
  anyOf: [
    text(`^(${UNICAST})(\\.(0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])){2}\\.(${Array.from({ length: 32 }, (_, i) => 8 * i + 1).join('|')})$`, 15),
    text(`^${GROUP}(:${GROUP}){0,3}::1$`, 39),
  ],
};
export const SECRET_NAME = text(SUBDOMAIN, 253);
export const CONTROL_PLANE_NAME = text(DNS_1035_LABEL, 63);
export const NAMESPACE = text(DNS_1123_LABEL, 63);
export const CLUSTER_DOMAIN = HOST;
export const A_CLUSTER_ID = text(CLUSTER_ID, 128);
export const AN_IMAGE = text(IMAGE, LONGEST_IMAGE);
export const A_PORT: Schema = { type: 'integer', minimum: 1, maximum: 65535 };
export const A_LOG_LEVEL: Schema = { enum: Object.values(LogLevel) };


const labelName = LABEL_NAME.source.replace(/^\^|\$$/g, '').replace('*', '{0,61}');
const labelKey = (name: string) => text(`^(${labels}(\\.${labels})*/)?${name}$`, 253);
export const LABEL_KEY = labelKey(labelName);
export const ANNOTATION_KEY = LABEL_KEY;

/** Host bits of an IPv4 network are 0: what an octet may be of which so many bits are of the network. */
const octetOf = (bits: number) => Array.from({ length: 2 ** bits }, (_, i) => i * 2 ** (8 - bits)).join('|');
const OCTET = '0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5]';
const ipv4Network = (prefix: number) => Array.from({ length: 4 }, (_, i) => {
  const bits = Math.min(8, Math.max(0, prefix - 8 * i));
  return bits === 8 ? `(${OCTET})` : `(${octetOf(bits)})`;
}).join('\\.');
/** IPv4: any network. IPv6: global and private ones of up to 64 bits, whole groups of them, in their short form. */
export const SOURCE_NETWORK: Schema = {
  type: 'string',
  anyOf: [
    text(`^(${Array.from({ length: 33 }, (_, prefix) => `${ipv4Network(prefix)}/${prefix}`).join('|')})$`, 18),
    { ...text(`^(${[1, 2, 3, 4].map(groups => `[23f][0-9a-f]{3}(:(0|${GROUP})){0,${groups - 1}}::/${16 * groups}`).join('|')})$`, 39), not: { pattern: '^2002:|:0::' } },
  ],
};

/** An empty text, or what the schema says. */
export function orEmpty(schema: Schema): Schema {
  return { type: 'string', anyOf: [{ const: '' }, schema] };
}
