import { SpawnOptions } from 'child_process';
import { Process } from '../../../e2e/support/process';

/** Runs a program that starts others, such as a controller with its HAProxy: all of them end with it, as in a container. */
export function startContained(program: string, args: string[], options: SpawnOptions): Process {
  return new Process('unshare', ['--pid', '--fork', '--kill-child', program, ...args], options);
}
