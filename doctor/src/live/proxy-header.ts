import { isIPv6, Socket } from 'net';

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const VERSION_2_PROXY = 0x21;
const TCP_OVER_IPV4 = 0x11;
const TCP_OVER_IPV6 = 0x21;

/** A header of the PROXY protocol, version 2 (its specification, section 2.2), with one TLV and the connection's own addresses. */
export function proxyHeader(socket: Socket, tlvType: number, value: string): Buffer {
  const v6 = isIPv6(socket.localAddress ?? '');
  const text = Buffer.from(value);
  const body = Buffer.concat([
    addressBytes(socket.localAddress!),
    addressBytes(socket.remoteAddress!),
    uint16(socket.localPort!),
    uint16(socket.remotePort!),
    Buffer.from([tlvType]), uint16(text.length), text,
  ]);
  return Buffer.concat([SIGNATURE, Buffer.from([VERSION_2_PROXY, v6 ? TCP_OVER_IPV6 : TCP_OVER_IPV4]), uint16(body.length), body]);
}

function addressBytes(address: string): Buffer {
  const plain = address.split('%')[0];
  if (!isIPv6(plain)) return Buffer.from(plain.split('.').map(Number));
  // A URL writes every IPv6 address in one way, also those that embed an IPv4 address.
  const [left, right = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::').map(half =>
    half.split(':').filter(Boolean).map(group => group.padStart(4, '0')).join(''));
  return Buffer.from(left + '0'.repeat(32 - left.length - right.length) + right, 'hex');
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
