import fc from 'fast-check';
import { answerTo, clusterIdHeader, Gateway, startGateway, TLV_TYPE } from './support/gateway';
import { stopParts } from './support/parts';
import { tlv } from './support/proxy-header';
import { RawConnection, TenantServer, TLS_START } from './support/tenant-server';
import { describeWithHaproxy } from '../support/haproxy';

/*
 * Random PROXY headers, near to good ones. Whatever they are: HAProxy goes on, and a connection reaches a tenant only
 * when a reading of the specification that owes nothing to HAProxy finds the tenant's ID in it.
 */
jest.setTimeout(300_000);
afterEach(stopParts);

const HEADERS = 20_000;
const AT_ONCE = 100;
const SEED = 20_240_905;
const IDS = ['5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10', '11111111-3a43-4ad5-93a1-0d3f6d2f3d10'];

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const ADDRESS_LENGTH: { [family: number]: number } = { 0x00: 0, 0x11: 12, 0x12: 12, 0x21: 36, 0x22: 36, 0x31: 216 };

const id = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...IDS) },
  fc.constantFrom('', IDS[0].toUpperCase(), IDS[0].slice(1), `${IDS[0]}0`, ` ${IDS[1]}`, `${IDS[0]}\0${IDS[1]}`, IDS.join()),
  fc.string({ maxLength: 60 }),
  fc.integer({ min: 1000, max: 1100 }).map(length => 'x'.repeat(length)),
);
const tlvs = fc.array(fc.tuple(fc.oneof({ weight: 4, arbitrary: fc.constant(TLV_TYPE) }, fc.integer({ min: 0, max: 255 })), id)
  .map(([type, value]) => tlv(type, value)), { maxLength: 4 }).map(Buffer.concat);
const addresses = (family: number) => fc.uint8Array({ minLength: ADDRESS_LENGTH[family] ?? 12, maxLength: ADDRESS_LENGTH[family] ?? 12 });

const header = fc.record({
  family: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(0x11, 0x21) }, fc.constantFrom(0x00, 0x12, 0x22, 0x31), fc.integer({ min: 0, max: 255 })),
  command: fc.oneof({ weight: 8, arbitrary: fc.constant(0x21) }, fc.constant(0x20), fc.integer({ min: 0, max: 255 })),
  tlvs,
  wrongLength: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.integer({ min: -80, max: 80 })),
  flip: fc.option(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { freq: 5 }),
}).chain(parts => addresses(parts.family).map(bytes => build(parts, Buffer.from(bytes))));

interface HeaderParts {
  readonly family: number;
  readonly command: number;
  readonly tlvs: Buffer;
  readonly wrongLength: number;
  readonly flip: [number, number] | null;
}

function build(parts: HeaderParts, address: Buffer): Buffer {
  const body = Buffer.concat([address, parts.tlvs]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Math.max(0, body.length + parts.wrongLength));
  const bytes = Buffer.concat([SIGNATURE, Buffer.from([parts.command, parts.family]), length, body]);
  if (parts.flip) {
    const at = parts.flip[0] % bytes.length;
    bytes[at] = (bytes[at] + parts.flip[1]) % 256;
  }
  return bytes;
}

/** Values of the TLVs of our type in bytes that start with a header; the first is the one that counts. */
function idsIn(bytes: Buffer): string[] {
  if (bytes.length < 16 || !bytes.subarray(0, 12).equals(SIGNATURE)) {
    return [];
  }
  const family = bytes[13];
  const end = Math.min(bytes.length, 16 + bytes.readUInt16BE(14));
  const found: string[] = [];
  for (let at = 16 + (bytes[12] === 0x20 ? 0 : ADDRESS_LENGTH[family] ?? 0); at + 3 <= end; at += 3 + bytes.readUInt16BE(at + 1)) {
    if (bytes[at] === TLV_TYPE) {
      found.push(bytes.subarray(at + 3, at + 3 + bytes.readUInt16BE(at + 1)).toString('latin1').split('\0')[0]);
    }
  }
  return found;
}

async function answers(gateway: Gateway, headers: Buffer[]): Promise<string[]> {
  return Promise.all(headers.map(async bytes => {
    const connection = new RawConnection(gateway.clusterIdPort, [Buffer.concat([bytes, TLS_START])]);
    const answer = await connection.answer();
    connection.stop();
    return answer;
  }));
}

describeWithHaproxy('the cluster ID port', () => {
  test(`goes on after ${HEADERS} random PROXY headers, none of which reaches a wrong tenant`, async () => {
    const tenants = await Promise.all(IDS.map(name => TenantServer.start(name)));
    const gateway = await startGateway({
      clusterIds: tenants.map(({ name, port }, i) => `${name} tenant-${i}.svc:${port}`),
      addresses: tenants.map((_, i) => `tenant-${i}.svc 127.0.0.1`),
      replace: { 'client-hs 10s': 'client-hs 200ms', 'inspect-delay 10s': 'inspect-delay 200ms' },
    });
    const headers = fc.sample(header, { numRuns: HEADERS, seed: SEED });
    const counts = { routed: 0, rejected: 0 };
    for (let i = 0; i < headers.length; i += AT_ONCE) {
      const batch = headers.slice(i, i + AT_ONCE);
      (await answers(gateway, batch)).forEach((answer, j) => {
        counts[answer === '' ? 'rejected' : 'routed']++;
        if (answer !== '' && answer !== idsIn(batch[j])[0]) {
          throw new Error(`${batch[j].toString('hex')} with the IDs ${JSON.stringify(idsIn(batch[j]))} reached ${answer}`);
        }
      });
    }
    // Both happened often, so the generator makes good and bad headers.
    expect(counts.routed).toBeGreaterThan(HEADERS / 20);
    expect(counts.rejected).toBeGreaterThan(HEADERS / 20);
    // What reached a tenant is what stood behind the header.
    expect(new Set(tenants.flatMap(({ received }) => received.map(text => text[0])))).toEqual(new Set(['\x16']));
    expect(gateway.haproxy.alive).toBe(true);
    for (const name of IDS) {
      expect(await answerTo(gateway, clusterIdHeader(name))).toBe(name);
    }
  });
});
