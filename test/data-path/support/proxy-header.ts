import { isIPv6 } from 'net';

/** What a PROXY header says. */
export interface ProxyHeaderOptions {
  /** Types and values, in this order. */
  readonly tlvs?: [type: number, value: string | Buffer][];
  /** LOCAL has no addresses, as HAProxy's own health checks send it. @default PROXY */
  readonly command?: 'PROXY' | 'LOCAL';
  /** @default 192.0.2.1 */
  readonly source?: string;
  /** @default 192.0.2.2, or 2001:db8::ffff for a source of IPv6 */
  readonly destination?: string;
}

/** A header of the PROXY protocol, version 2 (its specification, section 2.2). */
export function proxyHeader({ tlvs = [], command = 'PROXY', source = '192.0.2.1', ...more }: ProxyHeaderOptions): Buffer {
  const destination = more.destination ?? (isIPv6(source) ? '2001:db8::ffff' : '192.0.2.2');
  const proxied = command === 'PROXY';
  const addresses = proxied ? [addressBytes(source), addressBytes(destination), uint16(50_000), uint16(443)] : [];
  const body = Buffer.concat([...addresses, ...tlvs.map(([type, value]) => tlv(type, value))]);
  const kind = Buffer.from(proxied ? [0x21, isIPv6(source) ? 0x21 : 0x11] : [0x20, 0x00]);
  return Buffer.concat([Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'), kind, uint16(body.length), body]);
}

/** One type, length and value. */
export function tlv(type: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([Buffer.from([type]), uint16(bytes.length), bytes]);
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) {
    return Buffer.from(address.split('.').map(Number));
  }
  const [left, right = ''] = address.split('::').map(half => half.split(':').filter(Boolean).map(group => group.padStart(4, '0')).join(''));
  return Buffer.from(left + '0'.repeat(32 - left.length - right.length) + right, 'hex');
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
