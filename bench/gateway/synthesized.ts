import { execFileSync } from 'child_process';
import { readFileSync } from 'fs';
import { join } from 'path';
import { load } from 'js-yaml';

/** A gateway that the library has synthesized. */
export interface Synthesized {
  /** What that took. */
  readonly synth: object;
  /** The files of the mounted maps. */
  readonly files: Record<string, string>;
}

/**
 * Synthesizes a gateway in a process of its own.
 *
 * @param tenants how many; see synth.ts for what they have
 * @param port of all their Services
 */
export function synthesize(tenants: number, port: number, outdir: string): Synthesized {
  const program = [...process.execArgv, join(__dirname, 'synth.ts'), String(tenants), String(port), outdir];
  const synth = JSON.parse(execFileSync(process.execPath, program, { encoding: 'utf8', maxBuffer: 2 ** 26 }));
  const files: Record<string, string> = {};
  for (const text of readFileSync(join(outdir, 'management.k8s.yaml'), 'utf8').split('---\n')) {
    const manifest: any = load(text);
    const shard = /-routes-(\d+)-of-/.exec(manifest?.metadata?.name ?? '')?.[1];
    if (shard) {
      Object.entries<string>(manifest.data).forEach(([name, content]) => files[name.replace('.map', `-${shard.padStart(2, '0')}.map`)] = content);
    }
  }
  return { synth: { tenants, ...synth }, files };
}

/** The name of the Service of a tenant. */
export function serviceOf(tenant: number): string {
  return `kube-apiserver.tenant-${tenant}.svc.cluster.local`;
}
