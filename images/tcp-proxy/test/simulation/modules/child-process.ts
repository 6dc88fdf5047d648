import { EventEmitter } from 'events';
import { Readable } from 'stream';
import { SimulatedHaproxy } from '../simulated-haproxy';
import type { SimulatedProcess } from '../simulated-process';

const CHECK_MS = 30;
const SPAWN_MS = 5;

/** A configuration that HAProxy refuses has this in it. */
export const BROKEN = '# broken';

/** `child_process`, as far as the agent uses it: HAProxy is the one program. */
export function childProcessModule(process: SimulatedProcess): unknown {
  const { container } = process;
  return {
    spawn: (_binary: string, args: string[]) => {
      const kill = (_signal: string): boolean => true;
      const child = Object.assign(new EventEmitter(), { pid: process.around.pid(), stdout: silence(), stderr: silence(), kill });
      const fault = process.faultOf('program', 'start haproxy', ['fails', 'hangs', 'garbled']);
      const exit = (code: number | null, signal: string | null) => process.later(0, () => {
        child.stdout.destroy();
        child.stderr.destroy();
        child.emit('exit', code, signal);
      });
      if (fault === 'fails') {
        process.later(SPAWN_MS, () => child.emit('error', new Error('spawn EAGAIN')));
        return child;
      }
      const begin = () => {
        const before = container.haproxy;
        const haproxy = new SimulatedHaproxy(child.pid, process.around.clock, container.files, args[args.indexOf('-f') + 1], exit);
        container.haproxy = haproxy;
        haproxy.log = line => process.alive && child.stdout.push(`${line}\n`);
        container.files.mount(`/proc/${child.pid}`, { cmdline: ['haproxy', ...args, ''].join('\0') });
        before?.kill();
        child.kill = signal => haproxy.signal(signal);
        haproxy.start();
      };
      // It is there, does nothing, and ends only when it is killed.
      child.kill = signal => {
        if (signal === 'SIGKILL') exit(null, signal);
        return true;
      };
      if (fault !== 'hangs') process.later(SPAWN_MS, fault === 'garbled' ? () => exit(1, null) : begin);
      return child;
    },
    execFile: (_binary: string, args: string[], { timeout = 0 }: { timeout?: number }, done: (error?: Error | null) => void) => {
      const fault = process.faultOf('program', 'check configuration', ['fails', 'hangs', 'garbled']);
      const refused = (stderr: string) => Object.assign(new Error('Command failed'), { code: 1, stderr });
      if (fault === 'hangs') {
        if (timeout > 0) process.later(timeout, () => done(Object.assign(new Error('Command failed'), { code: null, killed: true, stderr: '' })));
        return;
      }
      process.later(CHECK_MS, () => {
        if (fault === 'fails') return done(Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' }));
        if (fault === 'garbled') return done(refused('\ufffd\u0000'));
        const file = args[args.indexOf('-f') + 1];
        const text = container.files.exists(file) ? container.files.read(file).toString() : BROKEN;
        // As HAProxy does with what may have been cut off: "Missing LF on last line".
        const broken = text.includes(BROKEN) || !text.endsWith('\n');
        return done(broken ? refused(`[ALERT]    (1) : config : ${file}: unknown keyword`) : null);
      });
    },
  };
}

function silence(): Readable {
  return new Readable({ read: () => undefined });
}
