import { Resolver } from 'dns/promises';
import { EventEmitter } from 'events';
import { readFile } from 'fs/promises';
import { isIP } from 'net';
import type { Logger } from 'pino';
import { DueQueue } from './due-queue';
import { QuestionLimit } from './question-limit';
import { Table } from './routing-tables';

const FIRST_RETRY_MS = 1_000;
const TICK_MS = 250;
/** Questions at once; those that failed have few of their own, so that names without an answer delay no others. */
const MAX_QUERIES = { first: 50, again: 10 };
/** More questions a second than these cost more CPU than everything else that an idle agent of thousands of tenants does. */
const MOST_PER_SECOND = 250;
/** Failures come together; they are said after this time, and once in a while as long as their number changes. */
const FAILURES_MEET_MS = 5_000;
const LOG_INTERVAL_MS = 60_000;
const NAMES_IN_LOG = 10;

export interface AddressBookOptions {
  /** DNS servers; undefined for those of the system. */
  readonly nameservers?: string[];
  /** How often the address of each service is asked for; less often where there are so many that it would be more than about 250 a second. */
  readonly intervalMs: number;
  /** How long a start waits for names that DNS does not answer, from its first answer on. */
  readonly deadlineMs: number;
  readonly logger: Logger;
}

interface Entry {
  readonly service: string;
  address?: string;
  /** Time to wait after the next failure. */
  retryMs: number;
  /** DNS has said something about the name, if only that there is no such name. */
  answered: boolean;
}

/** Which share of the questions it is one of. */
type Turn = keyof typeof MAX_QUERIES;
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
  /** By `performance.now()`: the clock of the node may be set back, by a day. */
  private readonly queues: Record<Turn, DueQueue<Entry>> = { first: new DueQueue(), again: new DueQueue() };
  private readonly queries: Record<Turn, number> = { first: 0, again: 0 };
  /** Services whose last question failed, and why. */
  private readonly failing = new Map<string, string>();
  private readonly resolver = new Resolver({ timeout: 1_000, tries: 2 });
  private readonly doubts = new QuestionLimit();
  private timer?: NodeJS.Timeout;
  private firstAnswer?: number;
  private complete = false;
  private table: Table = new Map();
  private rebuilding = false;
  private logged = 0;
  private nextLog = 0;

  constructor(private readonly options: AddressBookOptions) {
    super();
    if (options.nameservers) this.resolver.setServers(options.nameservers);
  }

  /** Takes over what an agent before this one knew; the file is a map of HAProxy. */
  public async load(file: string): Promise<void> {
    const text = await readFile(file, 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      const [service, address] = line.split(' ');
      if (isIP(address ?? '') !== 0) this.enter(service, address);
    }
    this.table = this.known();
  }

  /** Says which services there are; new ones are asked for at once, others are forgotten. */
  public track(services: ReadonlySet<string>): void {
    let forgotten = false;
    for (const [service, entry] of this.entries) {
      if (services.has(service)) continue;
      this.entries.delete(service);
      this.failing.delete(service);
      forgotten ||= entry.address !== undefined;
    }
    let found = false;
    for (const service of services) {
      if (!this.entries.has(service)) found = this.enter(service).address !== undefined || found;
    }
    if (found && !this.timer) this.table = this.known();
    else if (forgotten || found) this.rebuild();
    if (this.timer) this.askDue();
  }

  /** Its address does not answer: asks at once whether it is another by now, besides the questions that come anyway, and within limits. */
  public doubt(service: string): void {
    const entry = this.entries.get(service);
    if (!this.timer || entry?.address === undefined || entry.address === service || !this.doubts.admits(service)) return;
    void this.resolve(service).then(answer => {
      if (this.entries.get(service) === entry && !('failure' in answer)) this.learn(entry, answer.addresses);
    });
  }

  public start(): void {
    this.timer = setInterval(() => {
      this.askDue();
      this.logFailures();
    }, TICK_MS);
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

  /**
   * Whether every service of the start has been answered for, or DNS answers and had its time; from then on, true.
   * As long as DNS answers for nobody, it is false: who knows nobody leaves that to those who do.
   */
  public get ready(): boolean {
    const overdue = this.firstAnswer !== undefined && performance.now() - this.firstAnswer >= this.options.deadlineMs;
    this.complete ||= overdue || [...this.entries.values()].every(entry => entry.answered || entry.address !== undefined);
    return this.complete;
  }

  /** Numbers and names for people and metrics. */
  public status(): { services: number; unresolved: number; failing: ReadonlyMap<string, string> } {
    return { services: this.entries.size, unresolved: this.entries.size - this.table.size, failing: this.failing };
  }

  private get intervalMs(): number {
    return Math.max(this.options.intervalMs, 1_000 * this.entries.size / MOST_PER_SECOND);
  }

  private enter(service: string, address?: string): Entry {
    // A gateway may be given by its address, which nobody has to be asked for.
    const isAddress = isIP(service) !== 0;
    const entry = { service, address: isAddress ? service : address, retryMs: FIRST_RETRY_MS, answered: isAddress };
    this.entries.set(service, entry);
    if (!isAddress) this.queues.first.add(entry, 0);
    return entry;
  }

  private askDue(): void {
    for (const turn of ['first', 'again'] as const) {
      while (this.queries[turn] < MAX_QUERIES[turn]) {
        const entry = this.queues[turn].take(performance.now());
        if (!entry) break;
        if (this.entries.get(entry.service) === entry) void this.ask(entry, turn);
      }
    }
  }

  private async ask(entry: Entry, turn: Turn): Promise<void> {
    this.queries[turn]++;
    const answer = await this.resolve(entry.service);
    this.queries[turn]--;
    if (this.entries.get(entry.service) === entry) this.note(entry, answer);
    if (this.timer) this.askDue();
  }

  private note(entry: Entry, answer: Answer): void {
    if ('failure' in answer) this.failing.set(entry.service, answer.failure);
    else this.learn(entry, answer.addresses);
    const known = !('failure' in answer) && entry.address !== undefined;
    // Spread over time, as all of them came at once.
    const wait = known ? this.intervalMs * (0.75 + Math.random() / 2) : entry.retryMs;
    entry.retryMs = known ? FIRST_RETRY_MS : Math.min(2 * entry.retryMs, this.intervalMs);
    this.queues['failure' in answer ? 'again' : 'first'].add(entry, performance.now() + wait);
  }

  private learn(entry: Entry, addresses: readonly string[]): void {
    const before = entry.address;
    this.failing.delete(entry.service);
    this.firstAnswer ??= performance.now();
    entry.answered = true;
    // One of several stays as long as it is among them.
    if (!addresses.includes(before ?? '')) entry.address = [...addresses].sort()[0];
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
        if (code !== 'ENODATA') return { failure: String(code) };
      }
    }
    return { addresses: [] };
  }

  private logFailures(): void {
    const { failing, logged } = this;
    if (failing.size === logged) return;
    const now = performance.now();
    if (logged === 0) this.nextLog ||= now + FAILURES_MEET_MS;
    if (now < this.nextLog) return;
    this.nextLog = now + LOG_INTERVAL_MS;
    this.logged = failing.size;
    const services = [...failing].slice(0, NAMES_IN_LOG).map(([service, reason]) => `${service} (${reason})`);
    if (failing.size > 0) this.options.logger.warn({ count: failing.size, services }, 'DNS does not answer for services');
    else this.options.logger.info('DNS answers for all services again');
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
