import { execFileSync } from 'child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { loadAll } from 'js-yaml';
import { Place } from './names';

/** What a synthesis took. */
export interface Measured {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssMiB: number;
}

/** The compiled programs of the benchmark, so that none runs with a transpiler. */
export class Programs {
  public constructor(private readonly folder: string, private readonly places: Place[], private readonly port: number) {
    buildSync({
      entryPoints: ['synth', 'raw'].map(name => join(__dirname, `${name}.ts`)),
      outdir: folder,
      outExtension: { '.js': '.cjs' },
      bundle: true,
      platform: 'node',
      packages: 'external',
    });
  }

  public get files(): string {
    return join(this.folder, 'files');
  }

  /** See synth.ts. */
  public synth(what: string, tenants: number, outdir = this.outdirOf(what)): Measured {
    return this.run('synth', what, tenants, outdir, JSON.stringify(this.places));
  }

  /** See raw.ts. */
  public raw(what: string, tenants: number): Measured {
    return this.run('raw', what, tenants, this.outdirOf(`${what}-raw`), join(this.folder, `templates-${what}-${tenants}`));
  }

  /** Writes down what depends on no tenant, and makes sure that both contenders write the same bytes. */
  public prepareRaw(what: string, tenants: number): void {
    const outdir = this.outdirOf(`${what}-empty`);
    const templates = join(this.folder, `templates-${what}-${tenants}`);
    mkdirSync(templates, { recursive: true });
    this.synth(what, tenants, outdir);
    for (const file of readdirSync(outdir)) {
      const manifests = loadAll(readFileSync(join(outdir, file), 'utf8')) as any[];
      for (const manifest of manifests.filter(({ metadata: { name } }) => name.includes('-routes-') && /-of-\d+$/.test(name))) {
        for (const table of ['hosts.map', 'cluster-ids.map']) manifest.data[table] = '';
      }
      writeFileSync(join(templates, file.replace('.k8s.yaml', '.json')), JSON.stringify(manifests));
    }
    this.raw(what, tenants);
    if (contentOf(outdir) !== contentOf(this.outdirOf(`${what}-raw`))) {
      throw new Error(`The contenders write different manifests for ${what}: correct bench/fleet/raw.ts.`);
    }
  }

  /** The mounted files of a chart's gateway, and the size of its largest ConfigMap. */
  public routes(what: string, chart: string): { readonly files: Record<string, string>; readonly largestBytes: number; readonly configMaps: number } {
    const files: Record<string, string> = {};
    let [largestBytes, configMaps] = [0, 0];
    for (const manifest of loadAll(readFileSync(join(this.outdirOf(what), `${chart}.k8s.yaml`), 'utf8')) as any[]) {
      const shard = /-routes-(\d+)-of-/.exec(manifest.metadata.name)?.[1];
      if (shard === undefined || manifest.kind !== 'ConfigMap') continue;
      configMaps++;
      largestBytes = Math.max(largestBytes, JSON.stringify(manifest).length);
      Object.entries<string>(manifest.data).forEach(([name, content]) => (files[name.replace('.map', `-${shard.padStart(2, '0')}.map`)] = content));
    }
    return { files, largestBytes, configMaps };
  }

  private outdirOf(what: string): string {
    return join(this.folder, `dist-${what}`);
  }

  private run(program: string, what: string, tenants: number, outdir: string, more: string): Measured {
    rmSync(outdir, { recursive: true, force: true });
    return JSON.parse(execFileSync(process.execPath, [join(this.folder, `${program}.cjs`), what, String(tenants), String(this.port), outdir, more, this.files], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      env: { ...process.env, NODE_PATH: join(__dirname, '..', '..', 'node_modules') },
    }));
  }
}

function contentOf(folder: string): string {
  return readdirSync(folder).sort().map(file => `${file}\n${readFileSync(join(folder, file), 'utf8')}`).join('\n');
}
