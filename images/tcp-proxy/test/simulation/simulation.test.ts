import { spawnSync } from 'child_process';
import { join } from 'path';

const ROOT = join(__dirname, '..', '..', '..', '..');
/** A minute of a core that others use, too. */
const PATIENCE_MS = 600_000;
const SEEDS = 12;

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
    expect(figures).toMatchObject({ seeds: SEEDS, refused: 0, availability: 1 });
    expect(figures.served).toBeGreaterThan(SEEDS * 1_000);
    expect(status).toBe(0);
  }, PATIENCE_MS);

  test('is the same each time that it is replayed by its number', () => {
    const [first, second] = [1, 2].map(() => run('simulate.ts', ['--first', '7', '--seeds', '1']).figures);
    expect(second).toEqual({ ...first, cpuSeconds: second.cpuSeconds });
  }, PATIENCE_MS);
});
