import { spawnSync } from 'child_process';
import { join } from 'path';

const ROOT = join(__dirname, '..', '..', '..', '..');
/** A minute of a core that others use, too. */
const PATIENCE_MS = 600_000;
const SEEDS = 12;
/** What the agent waits for in no scenario, as `file: expression`; tests beside the simulation come to it. */
const UNREACHED = [
  // HAProxy dies while a pair is half written: `certificates/half-written.test.ts`.
  'certificates/certificate-sync.ts: this.accept(part) (2)',
  // HAProxy does not reload with new authorities: the first fault of each place is not this one, and `--of-each 3` comes to it.
  'certificates/trust-bundle.ts: keeping(keep(this.inUse))',
  'certificates/tunnel-files.ts: this.keep(before)',
  // Two tenants that are visited at the very same time.
  'sync/places.ts: new Promise((resolve) => this.line.push(resolve))',
  // The first answer of a tenant in whose visit sync has crashed: whether it does so there is a matter of a few milliseconds.
  'sync/visits.ts: reached(contact)',
];

/** Runs a program of this folder in a process of its own: its time is not that of jest. */
function run(program: string, args: readonly string[]): { readonly figures: any; readonly errors: string; readonly status: number | null } {
  const words = ['--import', 'tsx', join(__dirname, program), ...args];
  const env = { ...process.env, TSX_TSCONFIG_PATH: join(ROOT, 'examples', 'tsconfig.json') };
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8', env, maxBuffer: 2 ** 26 });
  return { figures: stdout.startsWith('{') ? JSON.parse(stdout) : undefined, errors: stderr, status };
}

describe('a year of incidents', () => {
  test(`refuses no attempt for which there is a path, in ${SEEDS} years, and breaks nothing else`, () => {
    const { figures, errors, status } = run('simulate.ts', ['--seeds', String(SEEDS)]);
    expect({ failed: figures?.failed, errors }).toEqual({ failed: {}, errors: '' });
    expect(figures).toMatchObject({ seeds: SEEDS, refused: 0, availability: { ours: 1 } });
    expect(figures.availability.ofTheYear).toBeGreaterThan(0.99999);
    expect(figures.served).toBeGreaterThan(SEEDS * 1_000);
    expect(status).toBe(0);
  }, PATIENCE_MS);

  // Seeds 336, 510, 511, 532, 737, 817, 829 and 845 had them together, when proxies took a dead watch for 90 seconds for a living one.
  test('has endpoints that others take away while all watches are dead back within the half minute after which a watch counts as dead', () => {
    const { figures } = run('simulate.ts', ['--seeds', '3', '--incidents', '6', '--together', 'watches are dead without a word,somebody else writes the endpoints']);
    expect(figures).toMatchObject({ incidents: { 'watches are dead without a word': 9 }, failed: {}, refused: 0 });
    expect(figures.lost.takenAway.attempts).toBeGreaterThan(0);
  }, PATIENCE_MS);

  // These were refused attempts when a proxy that left stopped listening while it was published, as it could not say so in 5 seconds.
  test('has a proxy that leaves serve until it is no longer published, also while the API server does not answer', () => {
    const { figures } = run('simulate.ts', ['--only', '1,29', '--incidents', '10', '--together', 'all nodes are upgraded,the API server of the tenant does not answer']);
    expect(figures).toMatchObject({ incidents: { 'all nodes are upgraded': 10, 'the API server of the tenant does not answer': 10 }, failed: {}, refused: 0 });
  }, PATIENCE_MS);

  // Of each tenant that moves a gateway loses what comes in the 5 seconds until the first connection is given up, and asks DNS then.
  test('has a control plane with another address found as soon as one connection to that before has failed', () => {
    const { figures } = run('simulate.ts', ['--seeds', '3', '--incidents', '6', '--together', 'the control plane gets another address']);
    expect(figures).toMatchObject({ incidents: { 'the control plane gets another address': 18 }, failed: {}, refused: 0 });
    expect(figures.lost.moved.attempts).toBeLessThan(18 * 6 * 4);
  }, PATIENCE_MS);

  test('is the same each time that it is replayed by its number', () => {
    const [first, second] = [1, 2].map(() => run('simulate.ts', ['--first', '7', '--seeds', '1']).figures);
    expect(second).toEqual({ ...first, cpuSeconds: second.cpuSeconds });
  }, PATIENCE_MS);
});

describe('one fault at a time', () => {
  test('leaves the processes in the state that they have without it, wherever they wait for something', () => {
    const { figures, errors, status } = run('simulate.ts', ['--faults', '--sample']);
    expect({ bad: figures?.bad, errors }).toEqual({ bad: [], errors: '' });
    const { awaits, places, runs, missed } = figures;
    for (const kind of ['kubernetes', 'socket', 'file', 'dns', 'program']) expect(places[kind].different).toBeGreaterThan(0);
    const different = Object.values(places as Record<string, { different: number }>).reduce((all, place) => all + place.different, 0);
    const all = Object.values(runs as Record<string, number>).reduce((sum, count) => sum + count, 0);
    expect(all).toBe(different);
    expect(missed).toBe(0);
    // A new await has to be come to by one of the scenarios.
    expect(awaits.unreached).toEqual(UNREACHED);
    expect(awaits.failed).toBeGreaterThan(0);
    expect(status).toBe(0);
  }, PATIENCE_MS);
});
