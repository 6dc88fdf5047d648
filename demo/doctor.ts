import { spawn } from 'child_process';
import { once } from 'events';
import { mkdirSync, writeFileSync } from 'fs';
import { join, relative } from 'path';
import { Installation } from './installation';
import { NAMES } from './platform';
import { PROGRAM } from './programs';

/** What the doctor was asked, and what it said. */
export interface Visit {
  readonly command: string;
  readonly text: string;
  readonly healthy: boolean;
}

/** Has the doctor look at the manifests, and at the paths of all tenants. */
export async function askDoctor({ platform, apiServers, dns, folder }: Installation): Promise<Visit[]> {
  const cas = join(folder, 'ca');
  mkdirSync(cas);
  apiServers.forEach(({ ca }, i) => writeFileSync(join(cas, `${NAMES[i]}.crt`), ca.certificate));
  return [
    await visit(['manifests', platform.folder]),
    await visit(['live', '--manifests', platform.folder, '--all', '--ca-file', join(cas, '{name}.crt'), '--resolver', `127.0.0.1:${dns.port}`]),
  ];
}

async function visit(args: string[]): Promise<Visit> {
  const child = spawn(process.execPath, [PROGRAM, 'doctor', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => text += part);
  const [code] = await once(child, 'close');
  return { command: ['node', relative('', PROGRAM), 'doctor', ...args].join(' '), text: text.trim(), healthy: code === 0 };
}
