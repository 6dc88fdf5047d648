import { createHash } from 'crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { minimized, mutated } from './mutations';
import type { Target } from './targets';
import { Random } from '../simulation/random';

/** What failed once, one file for each. It is tried again by every run of the tests. */
const KEPT = join(__dirname, 'kept');

export interface Failure {
  readonly target: string;
  readonly input: string;
  readonly error: string;
}

export interface Outcome {
  readonly inputs: number;
  /** Of them, those that were taken, and those that were refused with the error that says so. */
  readonly accepted: number;
  readonly refused: number;
  readonly longestMs: number;
  readonly failures: readonly Failure[];
}

/** Why an input broke something; undefined when it was taken or refused as it should be. */
export function faultOf({ run, allowed }: Target, input: string): string | undefined {
  try {
    run(input);
    return undefined;
  } catch (error) {
    return allowed.some(type => error instanceof type) ? undefined : `${(error as Error).name}: ${(error as Error).message}`.slice(0, 300);
  }
}

/** Tries texts that a seed decides. */
export function fuzz(name: string, target: Target, inputs: number, random: Random): Outcome {
  let accepted = 0;
  let longestMs = 0;
  const failures = new Map<string, Failure>();
  for (let i = 0; i < inputs; i++) {
    const input = mutated(target.corpus, random);
    const began = performance.now();
    let taken = false;
    const error = faultOf({
      ...target,
      run: text => {
        target.run(text);
        taken = true;
      },
    }, input);
    longestMs = Math.max(longestMs, performance.now() - began);
    if (taken) accepted++;
    if (error === undefined) continue;
    // Of one kind, one is enough.
    const kind = error.replace(/[\d'"`].*/s, '');
    if (failures.has(kind)) continue;
    const small = minimized(input, candidate => faultOf(target, candidate)?.replace(/[\d'"`].*/s, '') === kind);
    failures.set(kind, { target: name, input: small, error });
  }
  const broken = failures.size;
  return { inputs, accepted, refused: inputs - accepted - broken, longestMs: Math.round(longestMs), failures: [...failures.values()] };
}

export function keep({ target, input }: Failure): void {
  const folder = join(KEPT, target);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, createHash('sha256').update(input).digest('hex').slice(0, 12)), input);
}

/** What is kept of a target, by file. */
export function keptInputs(target: string): [file: string, input: string][] {
  const folder = join(KEPT, target);
  return existsSync(folder) ? readdirSync(folder).map(file => [file, readFileSync(join(folder, file), 'utf8')]) : [];
}
