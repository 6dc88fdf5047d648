import { App, YamlOutputType } from 'cdk8s';

/** Makes the charts of one tenant. */
export type Contender = (app: App, index: number) => void;

/** What a process has used. */
export interface Measurement {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssMb: number;
}

/** Name of a tenant; all have the same length. */
export function nameOf(index: number): string {
  return `tenant-${String(index).padStart(5, '0')}`;
}

/**
 * Synthesizes as the arguments of the process ask, COUNT OUTPUT_TYPE WARMUP OUTDIR, and prints a Measurement.
 *
 * Without a warm-up the times are those of the whole process, as a user waits for it; after a warm-up of that many
 * tenants they are those of construction and synthesis alone.
 */
export function measure(contender: Contender): void {
  const [count, outputType, warmup, outdir] = process.argv.slice(2);
  let start = 0;
  let cpu = { user: 0, system: 0 };
  if (Number(warmup) > 0) {
    synthesize(contender, Number(warmup), outputType, outdir);
    cpu = process.cpuUsage();
    start = performance.now();
  }
  synthesize(contender, Number(count), outputType, outdir);
  const { user, system } = process.cpuUsage();
  const measurement: Measurement = {
    wallMs: performance.now() - start,
    cpuMs: (user + system - cpu.user - cpu.system) / 1000,
    peakRssMb: process.resourceUsage().maxRSS / 1024,
  };
  console.log(JSON.stringify(measurement));
}

function synthesize(contender: Contender, count: number, outputType: string, outdir: string): void {
  const app = new App({ outdir, yamlOutputType: YamlOutputType[outputType as keyof typeof YamlOutputType] });
  for (let i = 0; i < count; i++) {
    contender(app, i);
  }
  app.synth();
}
