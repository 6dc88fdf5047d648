import { spawnSync } from 'child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { built } from './support/packages';

const [, SNIPPET] = /```python\n([^]*?)```/.exec(readFileSync(join(__dirname, '..', '..', 'docs', 'testing.md'), 'utf8'))!;

let folder: string;
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'testing-guide-')); });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function unittest(program: string): { status: number | null; stderr: string } {
  writeFileSync(join(folder, 'platform_test.py'), program);
  return spawnSync(built('PYTHON'), ['-m', 'unittest', 'platform_test.py'], { cwd: folder, encoding: 'utf8' });
}

test('the tests in Python of docs/testing.md pass, and can fail', () => {
  const passed = unittest(SNIPPET);
  expect(passed.stderr).toMatch(/^Ran 3 tests in .*\n\nOK$/m);
  expect(passed.status).toBe(0);
  expect(unittest(SNIPPET.replace('tenants-tenant-01.k8s', 'other.k8s'))).toMatchObject({ status: 1, stderr: expect.stringMatching(/^FAILED \(failures=1\)$/m) });
});
