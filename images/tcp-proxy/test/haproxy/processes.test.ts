import { mkdtempSync } from 'fs';
import { createServer, Server } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { MasterSocket } from '../../src/haproxy/master-socket';

const HEAD = '#<PID>          <type>          <reloads>       <uptime>        <version>      ';
let server: Server | undefined;

/** A master socket that answers as HAProxy of some version did. */
async function answering(lines: string[]): Promise<MasterSocket> {
  const path = join(mkdtempSync(join(tmpdir(), 'master-')), 'master.sock');
  server = createServer(socket => socket.end(`${[HEAD, ...lines].join('\n')}\n\n`));
  await new Promise<void>(resolve => server!.listen(path, resolve));
  return new MasterSocket(path);
}

afterEach(() => server?.close());

const workersOf = async (lines: string[]) => (await (await answering(lines)).processes()).filter(({ type }) => type === 'worker').map(({ pid, old }) => [pid, old]);

describe('the worker that serves', () => {
  test.each([
    ['3.0', ['# workers', '22238           worker          1               0d00h00m09s     3.0.11-1+deb13u5', '# programs']],
    ['3.2', ['# workers', '# old workers', '22238           worker          1               0d00h00m12s     3.2.26-1       ']],
  ])('is no old one after a reload that failed, with HAProxy %s', async (_, lines) => {
    expect(await workersOf(['20206           master          1 [failed: 1]   0d00h00m12s     x', ...lines])).toEqual([[22238, false]]);
  });

  test('is the newest of several after one that failed, with HAProxy 3.2', async () => {
    expect(await workersOf([
      '20206           master          2 [failed: 1]   0d00h00m12s     3.2.26-1       ',
      '# workers',
      '# old workers',
      '20301           worker          1               0d00h00m06s     3.2.26-1       ',
      '20229           worker          2               0d00h00m12s     3.2.26-1       ',
    ])).toEqual([[20301, false], [20229, true]]);
  });

  test('is the new one after one that succeeded', async () => {
    expect(await workersOf([
      '20206           master          1 [failed: 0]   0d00h00m12s     3.2.26-1       ',
      '# workers',
      '20301           worker          0               0d00h00m02s     3.2.26-1       ',
      '# old workers',
      '20229           worker          1               0d00h00m12s     3.2.26-1       ',
    ])).toEqual([[20301, false], [20229, true]]);
  });
});
