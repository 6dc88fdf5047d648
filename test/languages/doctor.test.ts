import { spawnSync } from 'child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { built, installNpmPackage } from './support/packages';

const COMMAND = 'cdk8s-hosted-control-plane';

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'doctor-'));
  installNpmPackage(project);
  writeFileSync(join(project, 'manifests.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: tenant-01\n');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe.each([
  ['npm package', () => join(project, 'node_modules', '.bin', COMMAND)],
  ['wheel', () => join(built('PYTHONPATH'), 'bin', COMMAND)],
])('the doctor of the %s', (_, command) => {
  function doctor(...args: string[]): { status: number | null; stdout: string } {
    return spawnSync(command(), ['doctor', ...args], { cwd: project, encoding: 'utf8' });
  }

  test('runs by the name of the package', () => {
    const { status, stdout } = doctor('--help');
    expect(stdout).toMatch(/^Usage: cdk8s-hosted-control-plane doctor /);
    expect(status).toBe(0);
  });

  test('checks manifests, and does not pass where it saw no control plane', () => {
    expect(doctor('manifests', 'manifests.yaml')).toMatchObject({ status: 1, stdout: expect.stringMatching(/HCP002.*1 object/s) });
  });

  test('exits with 2 when it cannot read them', () => {
    expect(doctor('manifests', 'missing.yaml')).toMatchObject({ status: 2 });
  });
});
