import { createHash, createPrivateKey, hkdfSync } from 'crypto';
import { readFile, rename, writeFile } from 'fs/promises';
import { CA_FILE, TICKET_KEYS_FILE, TLS_FILES } from '../../../../src/agent/contract/paths';
import { RuntimeApi, RuntimeApiError } from '../haproxy/runtime-api';

/** How long a key makes tickets; one before and one after are known as well, so that pods whose clocks differ agree. */
const EPOCH_MS = 3_600_000;
/** HAProxy's: a name of 16 bytes, an HMAC key and an AES key of 32 each. */
const KEY_BYTES = 80;
const SALT = 'tcp-proxy ticket keys';

export interface TicketKeysOptions {
  /** Path of a file of the tunnel that HAProxy reads. */
  readonly file: (name: string) => string;
  readonly runtime: RuntimeApi;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The keys of TLS session tickets of a gateway, the same in all its pods: derived from the private key that all of them have mounted
 * anyway, so that there is no further secret to make, share and rotate. They change with the hour, with that key, and with the authorities
 * of the clients, so that no session goes on that one of before had let in.
 */
export class TicketKeys {
  private readonly file: string;
  /** What is in the file; undefined after it could not be written. */
  private written?: string;

  constructor(private readonly options: TicketKeysOptions) {
    this.file = options.file(TICKET_KEYS_FILE);
  }

  /** Writes the keys for the start of HAProxy. */
  public async check(): Promise<void> {
    await this.write(await this.derive());
  }

  /** Makes HAProxy use the keys of this hour, without a reload. */
  public async reconcile(): Promise<void> {
    const keys = await this.derive();
    const used = await this.used();
    if (used.join() !== keys.join()) await this.change(used, keys);
    if (this.written !== keys.join()) await this.write(keys);
  }

  private async change(used: readonly string[], keys: readonly string[]): Promise<void> {
    const known = used.lastIndexOf(keys[0]);
    // A key that is added puts out the first of three, and the one before it makes the tickets.
    for (const key of known < 0 ? keys : keys.slice(used.length - known)) await this.add(key);
  }

  private async used(): Promise<string[]> {
    const answer = await this.options.runtime.execute(`show tls-keys ${this.file}`);
    return answer.split('\n').flatMap(line => /^\d+\.\d+ (\S+)$/.exec(line)?.[1] ?? []);
  }

  private async add(key: string): Promise<void> {
    const command = `set ssl tls-key ${this.file}`;
    const answer = await this.options.runtime.execute(`${command} ${key}`);
    if (!answer.includes('TLS ticket key updated')) throw new RuntimeApiError(command, answer);
  }

  /** @returns that of the hour before, of this one and of the next, in base64 */
  private async derive(): Promise<string[]> {
    const [pem, authorities] = await Promise.all([TLS_FILES.key, CA_FILE].map(name => readFile(this.options.file(name), 'utf8')));
    const secret = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
    const clients = createHash('sha256').update(authorities).digest('hex');
    const epoch = Math.floor((this.options.now ?? Date.now)() / EPOCH_MS);
    return [epoch - 1, epoch, epoch + 1].map(number => Buffer.from(hkdfSync('sha256', secret, SALT, `${clients} ${number}`, KEY_BYTES)).toString('base64'));
  }

  private async write(keys: readonly string[]): Promise<void> {
    this.written = undefined;
    await writeFile(`${this.file}.new`, keys.map(key => `${key}\n`).join(''), { mode: 0o600 });
    await rename(`${this.file}.new`, this.file);
    this.written = keys.join();
  }
}
