import { ChildProcess, execFileSync, spawn, spawnSync } from 'child_process';
import { once } from 'events';
import { chmodSync, mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { delimiter, join } from 'path';

/** A network namespace of its own, in which this user may do everything. */
export class Namespace {
  public static async create(): Promise<Namespace> {
    const holder = spawn('unshare', [...UNSHARE, 'sh', '-c', 'echo ready; exec sleep 600'], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout!, 'data');
    return new Namespace(holder);
  }

  private constructor(private readonly holder: ChildProcess) {}

  /** How to start a program inside: the words in front of it, and its environment. */
  public get inside(): { prefix: string[]; env: { PATH: string } } {
    const namespaces = `/proc/${this.holder.pid}/ns`;
    return { prefix: ['nsenter', `--user=${namespaces}/user`, `--net=${namespaces}/net`, '--preserve-credentials'], env: { PATH: path() } };
  }

  public ip(...words: string[]): string {
    const { prefix: [program, ...rest], env } = this.inside;
    return execFileSync(program, [...rest, 'ip', ...words], { encoding: 'utf8', env });
  }

  /** Addresses of a device with their scope, as in `172.20.0.1/32 host`; without the link-local ones. */
  public addresses(device: string): string[] {
    const [link] = JSON.parse(this.ip('-json', 'address', 'show', 'dev', device));
    return link.addr_info
      .filter(({ scope }: { scope: string }) => scope !== 'link')
      .map(({ local, prefixlen, scope }: { local: string; prefixlen: number; scope: string }) => `${local}/${prefixlen} ${scope}`);
  }

  public remove(): void {
    this.holder.kill('SIGKILL');
  }
}

/** `describe` for tests in a network namespace; skipped, with the remedy in its name, where none can be had. */
export function describeInNamespace(name: string, tests: () => void): void {
  const { status, stderr, error } = tryType('bridge');
  if (status === 0) describe(name, tests);
  else describe.skip(`${name} (skipped: allow user namespaces and install iproute2 and util-linux: ${error?.message ?? stderr.trim()})`, tests);
}

const UNSHARE = ['--user', '--map-root-user', '--net'];

function tryType(type: string) {
  return spawnSync('unshare', [...UNSHARE, 'ip', 'link', 'add', 'probe', 'type', type], { encoding: 'utf8' });
}

/** Kernels of small virtual machines may have no dummy devices. A bridge without ports behaves the same here, so `ip` gives one out as the other. */
const BRIDGE_AS_DUMMY = `#!/bin/bash
set -o pipefail
real=$(PATH=\${PATH#*:} command -v ip)
"$real" "\${@/#dummy/bridge}" | sed 's/"info_kind":"bridge"/"info_kind":"dummy"/g'
`;

let searchPath: string | undefined;

function path(): string {
  if (searchPath === undefined) {
    searchPath = process.env.PATH ?? '';
    if (tryType('dummy').status !== 0) {
      const folder = mkdtempSync(join(tmpdir(), 'bridge-as-dummy-'));
      writeFileSync(join(folder, 'ip'), BRIDGE_AS_DUMMY);
      chmodSync(join(folder, 'ip'), 0o755);
      searchPath = `${folder}${delimiter}${searchPath}`;
    }
  }
  return searchPath;
}
