import { execFileSync } from 'child_process';
import { dirname } from 'path';

/** The HAProxy of scripts/haproxy.sh. */
export class Haproxy {
  /** Without what a distribution adds. */
  public readonly version: string;

  /** @param program path of it */
  public constructor(public readonly program: string) {
    this.version = /^HAProxy version (\d+\.\d+\.\d+)/.exec(execFileSync(program, ['-v'], { encoding: 'utf8' }))![1];
  }

  /** An environment in which it is found by its name. */
  public get env(): NodeJS.ProcessEnv {
    return { ...process.env, PATH: `${dirname(this.program)}:${process.env.PATH}` };
  }
}
