import { readdirSync, readFileSync, readlinkSync } from 'fs';
import { Process } from './process';

interface HaproxyProcess {
  readonly pid: number;
  readonly parent: number;
}

/** The agent, in the root file system of the image. */
export class Agent extends Process {
  /** @param prefix words of a command that runs it */
  constructor(args: string[], prefix: string[] = []) {
    const [program, ...words] = [...prefix, 'scripts/image-run.sh', process.env.TCP_PROXY_IMAGE_ROOT!, '/usr/bin/tcp-proxy', ...args];
    super(program, words);
  }

  /** HAProxy below this agent. */
  public get haproxy(): { master: number; worker: number } {
    const processes = haproxyProcesses();
    const master = processes.find(({ parent }) => parent === this.pid)!.pid;
    return { master, worker: processes.find(({ parent }) => parent === master)!.pid };
  }

  /**
   * Ends the agent and its HAProxy, as every process of a container ends with its first. Left behind, HAProxy would share
   * the port with the one of the next test and answer its clients.
   */
  public async stop(): Promise<void> {
    const masters = haproxyProcesses().filter(({ parent }) => parent === this.pid);
    await super.stop();
    // The agent gives HAProxy a process group of its own.
    masters.forEach(({ pid }) => process.kill(-pid, 'SIGKILL'));
  }
}

function haproxyProcesses(): HaproxyProcess[] {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name)).flatMap(pid => {
    try {
      const parent = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
      return readlinkSync(`/proc/${pid}/exe`).endsWith('/haproxy') ? [{ pid: Number(pid), parent }] : [];
    } catch {
      return []; // it ended meanwhile
    }
  });
}
