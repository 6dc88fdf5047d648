import { createSocket, Socket } from 'dgram';
import { AddressInfo, isIPv6 } from 'net';
import { keep, Part } from './parts';

const TYPE = { A: 1, AAAA: 28 };
const HEADER_LENGTH = 12;
const SERVER_FAILURE = 2;
const NAME_ERROR = 3;

/** A DNS server (RFC 1035) for one zone in memory. */
export class DnsServer implements Part {
  public static async start(address = '127.0.0.1'): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const server = keep(new DnsServer(socket));
    await new Promise<void>(resolve => socket.bind(0, address, resolve));
    return server;
  }

  /** Addresses of each name; a name that is missing does not exist. */
  public readonly records = new Map<string, string[]>();
  /** Names that it fails for (SERVFAIL), and names that it does not answer for. */
  public readonly failing = new Set<string>();
  public readonly silent = new Set<string>();
  /** Whether it answers at all. */
  public answering = true;
  /** Queries so far, also those without an answer. */
  public queries = 0;

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, client) => {
      this.queries++;
      if (this.answering && !this.silent.has(question(query).name)) {
        socket.send(this.answer(query), client.port, client.address);
      }
    });
  }

  public get port(): number {
    return (this.socket.address() as AddressInfo).port;
  }

  public stop(): void {
    this.socket.close();
  }

  private answer(query: Buffer): Buffer {
    const { name, type, end } = question(query);
    const known = this.records.get(name);
    const addresses = (known ?? []).filter(address => type === (isIPv6(address) ? TYPE.AAAA : TYPE.A));
    const header = Buffer.from(query.subarray(0, HEADER_LENGTH));
    header.writeUInt16BE(0x8180 + (this.failing.has(name) ? SERVER_FAILURE : known ? 0 : NAME_ERROR), 2);
    header.writeUInt16BE(addresses.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, query.subarray(HEADER_LENGTH, end), ...addresses.map(address => resourceRecord(type, address))]);
  }
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_LENGTH;
  while (query[at] > 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    at += 1 + query[at];
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function resourceRecord(type: number, address: string): Buffer {
  const data = isIPv6(address) ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 + HEADER_LENGTH, 0); // the name of the question
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(1, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [left, right = ''] = address.split('::').map(half => half.split(':').filter(Boolean).map(group => group.padStart(4, '0')).join(''));
  return Buffer.from(left + '0'.repeat(32 - left.length - right.length) + right, 'hex');
}
