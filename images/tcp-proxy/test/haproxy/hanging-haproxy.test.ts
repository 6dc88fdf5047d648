import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { pino } from 'pino';
import { MasterSocket } from '../../src/haproxy/master-socket';
import { HaproxySupervisor } from '../../src/haproxy/supervisor';
import { validateConfig } from '../../src/haproxy/validate-config';
import { eventually } from '../support/eventually';

let folder: string;
let binary: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hanging-haproxy-'));
  binary = join(folder, 'haproxy');
  writeFileSync(binary, `#!/bin/sh\necho started >> ${folder}/starts\nexec sleep 600\n`);
  chmodSync(binary, 0o700);
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a check of the configuration that does not end is ended, and said to be no refusal', async () => {
  const error = await validateConfig(binary, '/haproxy.cfg', 100).catch((reason: Error) => reason);
  expect(String(error)).toContain('--haproxy-config "/haproxy.cfg": HAProxy has not checked it within 0.1 s');
  expect(error?.constructor.name).toBe('ConfigurationError');
});

test('a HAProxy that never answers after its start is killed and started again', async () => {
  const supervisor = new HaproxySupervisor({
    binary, config: '/haproxy.cfg', master: new MasterSocket(join(folder, 'master.sock')), logger: pino({ level: 'silent' }), longestStartMs: 100,
  });
  await supervisor.start();
  await eventually(() => expect(readFileSync(join(folder, 'starts'), 'utf8').split('started').length - 1).toBeGreaterThan(1));
  expect(supervisor.status().running).toBe(false);
  await supervisor.stop(0);
});
