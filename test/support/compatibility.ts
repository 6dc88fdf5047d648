import { appendFile, mkdir } from 'fs/promises';
import { join } from 'path';

/** One run of what this library writes against a real program, as docs/compatibility.md lists it. */
export interface CompatibilityRun {
  /** The program, as its makers write it, e.g. `Traefik`. */
  readonly system: string;
  /** Its exact version, e.g. `3.7.9`. */
  readonly version: string;
  /** The other real programs of the run with their versions, e.g. `kube-apiserver 1.32.13`. */
  readonly with: string;
  /** What was looked at, in a few words, e.g. `right certificate for the SNI, client certificate arrives`. */
  readonly what: string;
  /** `differs`: it works, but not as the documentation of the program or of this library says; the note says how. */
  readonly result: 'passed' | 'failed' | 'differs';
  readonly note?: string;
}

/**
 * Adds a run with today's date to the folder that COMPATIBILITY_RESULTS names, in a file for each system, a line for each run
 * (JSON Lines). Does nothing without that variable.
 */
export async function recordRun(run: CompatibilityRun): Promise<void> {
  const folder = process.env.COMPATIBILITY_RESULTS;
  if (!folder) return;
  const { system, version, with: others, what, result, note } = run;
  const date = new Date().toISOString().slice(0, 10);
  await mkdir(folder, { recursive: true });
  await appendFile(join(folder, `${fileName(system)}.jsonl`), `${JSON.stringify({ system, version, with: others, what, result, note, date })}\n`);
}

function fileName(system: string): string {
  return system.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
