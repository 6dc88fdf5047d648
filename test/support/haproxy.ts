import { execFile, spawnSync } from 'child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'fs/promises';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { promisify } from 'util';
import { CertificateAuthority, CertificatePair } from './certificates';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'haproxy.sh');
/** The first run downloads packages. */
const SCRIPT_TIMEOUT_MS = 300_000;

interface Lookup {
  readonly binary?: string;
  readonly remedy?: string;
}
let lookup: Lookup | undefined;

/** Path of a HAProxy >= 3.0, or undefined when none can be had. The first call on a machine may take a minute. */
export function haproxyBinary(): string | undefined {
  return findHaproxy().binary;
}

/** `describe` for tests that need HAProxy; skipped, with the remedy in its name, where it cannot be had. */
export function describeWithHaproxy(name: string, tests: () => void): void {
  const { binary, remedy } = findHaproxy();
  if (binary) {
    describe(name, tests);
  } else {
    describe.skip(`${name} (skipped: no HAProxy >= 3.0; ${remedy})`, tests);
  }
}

/**
 * Checks a configuration with `haproxy -c`; a warning counts as an error.
 *
 * The files that it names are made up: certificates are real ones, maps are empty. The configuration is checked as it
 * is but for two things: absolute paths get a temporary folder in front, and servers are not looked up by libc, which
 * would ask the network even for a mere check.
 *
 * @returns what HAProxy complains about; empty when the configuration is good
 */
export async function checkConfig(text: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'haproxy-check-'));
  try {
    for (const file of await filesOf(text)) {
      await mkdir(dirname(root + file.path), { recursive: true });
      await writeFile(root + file.path, file.content);
    }
    const config = join(root, 'haproxy.cfg');
    await writeFile(config, text
      .replace(ABSOLUTE_PATH, (_, before: string, path: string) => before + root + path)
      .replace(/^( *server .*)$/gm, '$1 init-addr none'));
    await promisify(execFile)(haproxyBinary()!, ['-dW', '-c', '-f', config]);
    return '';
  } catch (error: any) {
    return String(error.stderr ?? error).split(root).join('').trim();
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** A path of a file, as opposed to one of a URI: `/readyz` has no folder. */
const ABSOLUTE_PATH = /(^|[\s@(,'])(\/[\w.-]+\/[\w./-]+)/gm;

let pair: Promise<{ ca: string; server: CertificatePair }> | undefined;

async function filesOf(text: string): Promise<{ path: string; content: string }[]> {
  pair ??= CertificateAuthority.create().then(async ca => ({
    ca: ca.certificate,
    server: await ca.issue({ commonName: 'kube-apiserver', sans: ['kubernetes'] }),
  }));
  const { ca, server } = await pair;
  const contents: { [keyword: string]: string } = {
    'ca-file': ca,
    'crt': server.certificate + server.key,
    'key': server.key,
    'tls-ticket-keys': `${Buffer.alloc(80).toString('base64')}\n`.repeat(3),
  };
  return [...text.matchAll(ABSOLUTE_PATH)].map(match => {
    const keyword = /([\w-]+)\s*$/.exec(text.slice(0, match.index + match[1].length))?.[1] ?? '';
    return { path: match[2], content: contents[keyword] ?? '' };
  });
}

function findHaproxy(): Lookup {
  if (!lookup) {
    const { status, stdout, stderr, error } = spawnSync(SCRIPT, { encoding: 'utf8', timeout: SCRIPT_TIMEOUT_MS });
    lookup = status === 0
      ? { binary: stdout.trim() }
      : { remedy: error?.message ?? stderr.trim().split('\n').pop() };
  }
  return lookup;
}
