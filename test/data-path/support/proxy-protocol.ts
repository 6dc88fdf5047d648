const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const FIXED_LENGTH = 16;
/** Length of the addresses by the upper half of byte 13. */
const ADDRESS_LENGTH: { [family: number]: number } = { 0: 0, 1: 12, 2: 36, 3: 216 };

/** A header of the PROXY protocol, version 2 (its specification, section 2.2). */
export interface ProxyHeader {
  readonly command: 'LOCAL' | 'PROXY';
  /** Port of the client; undefined without addresses. */
  readonly sourcePort?: number;
  readonly tlvs: Map<number, Buffer>;
  /** What follows the header. */
  rest: Buffer;
}

/** Reads the header at the start of a connection; undefined while it is not complete. */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  if (bytes.length < FIXED_LENGTH || bytes.length < FIXED_LENGTH + bytes.readUInt16BE(14)) {
    return undefined;
  }
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE) || upperHalf(bytes[12]) !== 2) {
    throw new Error('not a PROXY header of version 2');
  }
  const end = FIXED_LENGTH + bytes.readUInt16BE(14);
  const family = upperHalf(bytes[13]);
  const tlvs = new Map<number, Buffer>();
  for (let at = FIXED_LENGTH + ADDRESS_LENGTH[family]; at < end; at += 3 + bytes.readUInt16BE(at + 1)) {
    tlvs.set(bytes[at], bytes.subarray(at + 3, at + 3 + bytes.readUInt16BE(at + 1)));
  }
  return {
    command: bytes[12] % 16 === 1 ? 'PROXY' : 'LOCAL',
    sourcePort: family === 1 ? bytes.readUInt16BE(FIXED_LENGTH + 8) : undefined,
    tlvs,
    rest: bytes.subarray(end),
  };
}

function upperHalf(byte: number): number {
  return Math.floor(byte / 16);
}
