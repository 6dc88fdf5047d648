import { Resolver } from 'dns/promises';
import { EventEmitter } from 'events';
import { readFile } from 'fs/promises';
import { isIP } from 'net';
import { Table } from './routing-tables';

const FIRST_RETRY_MS = 1_000;
const TICK_MS = 250;
const MAX_QUERIES = 50;

export interface AddressBookOptions {
  /** DNS servers; undefined for those of the system. */
  readonly nameservers?: string[];
  /** How often the address of each service is asked for. */
  readonly intervalMs: number;
}

interface Entry {
  address?: string;
  /** When to ask next, in the time of `Date.now`. */
  due: number;
  /** Time to wait after the next failure. */
  retryMs: number;
  /** DNS has said something about the name, if only that there is no such name. */
  answered: boolean;
  asking: boolean;
}

type Answer = { readonly addresses: string[] } | { readonly failure: string };

/**
 * Knows the address of every service, so that HAProxy need not ask DNS for it.
 *
 * When DNS fails, the last address stays, for as long as it takes. Only the answer that a name has no address takes it
 * away: the service is gone, and its address may be another's soon.
 *
 * Emits `changed` when an address came, changed or went.
 */
export class AddressBook extends EventEmitter<{ changed: [] }> {
  private readonly entries = new Map<string, Entry>();
  private readonly resolver = new Resolver({ timeout: 1_000, tries: 2 });
  private timer?: NodeJS.Timeout;
  private queries = 0;
  private complete = false;
  private table: Table = new Map();
  private lastFailure?: string;
  private rebuilding = false;

  constructor(private readonly options: AddressBookOptions) {
    super();
    if (options.nameservers) this.resolver.setServers(options.nameservers);
  }

  /** Takes over what an agent before this one knew; the file is a map of HAProxy. */
  public async load(file: string): Promise<void> {
    const text = await readFile(file, 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      const [service, address] = line.split(' ');
      if (isIP(address ?? '') !== 0) this.entries.set(service, { ...newEntry(), address });
    }
    this.table = this.known();
  }

  /** Says which services there are; new ones are asked for at once, others are forgotten. */
  public track(services: ReadonlySet<string>): void {
    let forgotten = false;
    for (const [service, entry] of this.entries) {
      if (services.has(service)) continue;
      this.entries.delete(service);
      forgotten ||= entry.address !== undefined;
    }
    for (const service of services) {
      if (!this.entries.has(service)) this.entries.set(service, newEntry());
    }
    if (forgotten) this.rebuild();
    if (this.timer) this.askDue();
  }

  public start(): void {
    this.timer = setInterval(() => this.askDue(), TICK_MS);
    this.askDue();
  }

  public stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.resolver.cancel();
  }

  /** Service name to address; another object after each change. */
  public get addresses(): Table {
    return this.table;
  }

  /** Whether every service of the start has been answered for; from then on, true. */
  public get ready(): boolean {
    this.complete ||= [...this.entries.values()].every(entry => entry.answered || entry.address !== undefined);
    return this.complete;
  }

  /** Numbers for people and metrics. */
  public status(): { services: number; unresolved: number; failure?: string } {
    return { services: this.entries.size, unresolved: this.entries.size - this.table.size, failure: this.lastFailure };
  }

  private askDue(): void {
    const now = Date.now();
    for (const [service, entry] of this.entries) {
      if (this.queries >= MAX_QUERIES) return;
      if (entry.due <= now && !entry.asking) void this.ask(service, entry);
    }
  }

  private async ask(service: string, entry: Entry): Promise<void> {
    entry.asking = true;
    this.queries++;
    const answer = await this.resolve(service);
    this.queries--;
    entry.asking = false;
    if (this.entries.get(service) === entry) this.note(entry, answer);
    if (this.timer) this.askDue();
  }

  private note(entry: Entry, answer: Answer): void {
    const before = entry.address;
    if ('failure' in answer) {
      this.lastFailure = answer.failure;
    } else {
      this.lastFailure = undefined;
      entry.answered = true;
      // One of several stays as long as it is among them.
      if (!answer.addresses.includes(before ?? '')) entry.address = [...answer.addresses].sort()[0];
    }
    const known = !('failure' in answer) && entry.address !== undefined;
    // Spread over time, as all of them came at once.
    entry.due = Date.now() + (known ? this.options.intervalMs * (0.75 + Math.random() / 2) : entry.retryMs);
    entry.retryMs = known ? FIRST_RETRY_MS : Math.min(2 * entry.retryMs, this.options.intervalMs);
    if (entry.address !== before) this.rebuild();
  }

  private async resolve(service: string): Promise<Answer> {
    for (const ask of [() => this.resolver.resolve4(service), () => this.resolver.resolve6(service)]) {
      try {
        const addresses = await ask();
        if (addresses.length > 0) return { addresses };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOTFOUND') return { addresses: [] };
        if (code !== 'ENODATA') return { failure: `${service}: ${code}` };
      }
    }
    return { addresses: [] };
  }

  /** Coalesced: at the start every answer is a change. */
  private rebuild(): void {
    if (this.rebuilding) return;
    this.rebuilding = true;
    setImmediate(() => {
      this.rebuilding = false;
      this.table = this.known();
      this.emit('changed');
    });
  }

  private known(): Table {
    const table = new Map<string, string>();
    for (const [service, { address }] of this.entries) {
      if (address !== undefined) table.set(service, address);
    }
    return table;
  }
}

function newEntry(): Entry {
  return { due: 0, retryMs: FIRST_RETRY_MS, answered: false, asking: false };
}
