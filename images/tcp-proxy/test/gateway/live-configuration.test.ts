import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { LiveConfiguration } from '../../src/gateway/live-configuration';
import type { MasterSocket, ReloadResult } from '../../src/haproxy/master-socket';

const TAKEN: ReloadResult = { success: true, log: '' };

let folder: string;
let mounted: string;
/** What the master answers next; afterwards it takes everything. */
let answers: (ReloadResult | Error)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-configuration-'));
  mounted = join(folder, 'mounted.cfg');
  writeFileSync(mounted, 'first');
  answers = [];
  checks('exit 0');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** What becomes of each check, as lines of a shell. */
function checks(script: string): void {
  writeFileSync(join(folder, 'haproxy'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'haproxy'), 0o700);
}

async function started(askAgainMs?: number): Promise<LiveConfiguration> {
  const reload = async () => {
    const answer = answers.shift() ?? TAKEN;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const live = new LiveConfiguration({
    binary: join(folder, 'haproxy'),
    mounted,
    runDir: folder,
    master: { reload } as unknown as MasterSocket,
    reloadIntervalMs: 0,
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
    askAgainMs,
  });
  await live.prepare();
  return live;
}

const reconcile = async (live: LiveConfiguration) => live.reconcile(() => undefined);
const inFile = ({ file }: LiveConfiguration) => readFileSync(file, 'utf8');

test('takes a changed configuration up after all when the socket of HAProxy failed once', async () => {
  const live = await started();
  writeFileSync(mounted, 'second');
  answers = [new Error('master.sock: no answer to "reload" within 30000 ms')];
  await expect(reconcile(live)).rejects.toThrow('no answer');
  expect(inFile(live)).toBe('first');
  expect(live.refusal).toBeUndefined();
  expect(await reconcile(live)).toBe(true);
  expect(inFile(live)).toBe('second');
});

test('takes a changed configuration up after all when HAProxy could not be run once to check it', async () => {
  const live = await started();
  writeFileSync(mounted, 'second');
  chmodSync(join(folder, 'haproxy'), 0o600);
  await expect(reconcile(live)).rejects.toThrow('cannot be run');
  checks('exit 0');
  expect(await reconcile(live)).toBe(true);
});

test('asks no more for a configuration that HAProxy has refused, until it changes', async () => {
  const live = await started();
  writeFileSync(mounted, 'second');
  answers = [{ success: false, log: 'cannot bind' }];
  expect(await reconcile(live)).toBe(false);
  expect(live.refusal).toContain('cannot bind');
  expect(await reconcile(live)).toBe(false);
  expect(inFile(live)).toBe('first');
  writeFileSync(mounted, 'third');
  expect(await reconcile(live)).toBe(true);
  expect(live.refusal).toBeUndefined();
});

test('asks again after a while for a configuration that HAProxy has refused, as the reason may have gone', async () => {
  const live = await started(0);
  writeFileSync(mounted, 'second');
  checks('echo "[ALERT] (1) : Cannot allocate memory" >&2; exit 1');
  expect(await reconcile(live)).toBe(false);
  expect(live.refusal).toContain('Cannot allocate memory');
  checks('exit 0');
  expect(await reconcile(live)).toBe(true);
  expect(live.refusal).toBeUndefined();
});

test('goes back to the configuration before when that failed the first time', async () => {
  const live = await started();
  writeFileSync(mounted, 'second');
  answers = [new Error('socket')];
  await expect(reconcile(live)).rejects.toThrow('socket');
  writeFileSync(mounted, 'first');
  // HAProxy may have taken the second up: nobody has heard of it.
  expect(await reconcile(live)).toBe(true);
  expect(inFile(live)).toBe('first');
  expect(await reconcile(live)).toBe(false);
});
