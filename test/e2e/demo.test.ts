import { spawnSync } from 'child_process';

test('the demonstration takes every path with real API servers and ends what it started', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'demo', '--', '--once'], { encoding: 'utf8' });
  expect({ status, stderr, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('paths did what they should') });
  expect(stdout).toContain('kube-apiserver and etcd');
}, 180_000);
