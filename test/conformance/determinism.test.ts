import { execFileSync } from 'child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'determinism-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Synthesizes in a process of its own and returns the content of every file by its name. */
function synth(seed: number, outputType: string): Map<string, string> {
  const outdir = join(folder, `${outputType}-${seed}`);
  execFileSync(process.execPath, [require.resolve('tsx/cli'), join(__dirname, 'synth-shuffled.ts'), String(seed), outputType, outdir]);
  const files = readdirSync(outdir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return new Map(files.map(file => join(file.parentPath, file.name)).sort()
    .map(path => [path.slice(outdir.length + 1), readFileSync(path, 'utf8')]));
}

// In one file for each chart the objects have the order of construction, so only the charts are shuffled.
test.each(['FILE_PER_CHART', 'FOLDER_PER_CHART_FILE_PER_RESOURCE'])(
  'two processes that construct in different orders write the same bytes: %s', outputType => {
    const [one, other] = [1, 2].map(seed => synth(seed, outputType));
    expect([...one.keys()]).toEqual([...other.keys()]);
    expect(one.size).toBeGreaterThan(100);
    expect(Object.fromEntries(one)).toEqual(Object.fromEntries(other));
  }, 120_000);
