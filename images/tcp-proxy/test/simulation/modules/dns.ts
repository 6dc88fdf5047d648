import { systemError } from '../simulated-files';
import type { SimulatedProcess } from '../simulated-process';

const ANSWER_MS = 2;
/** Two tries, as the agent sets it. */
const TIMEOUT_MS = 3_000;

/** `dns/promises`, as far as the agent uses it. */
export function dnsModule(process: SimulatedProcess): unknown {
  const resolve = (name: string, family: 4 | 6) => new Promise<string[]>((done, reject) => {
    const fault = process.faultOf('dns', `${family === 4 ? 'A' : 'AAAA'} ${name}`);
    if (fault === 'hangs') {
      process.later(TIMEOUT_MS, () => reject(systemError('ETIMEOUT', 'query', name)));
      return;
    }
    process.later(ANSWER_MS, () => {
      try {
        if (fault === 'fails') throw systemError('ESERVFAIL', 'query', name);
        if (fault === 'garbled') throw systemError('EBADRESP', 'query', name);
        const addresses = process.around.resolve(process, name, family);
        done(fault === 'twice' ? [...addresses, ...addresses] : addresses);
      } catch (error) {
        const late = (error as NodeJS.ErrnoException).code === 'ETIMEOUT';
        process.later(late ? TIMEOUT_MS : 0, () => reject(error));
      }
    });
  });
  class Resolver {
    public setServers(): void {}

    public cancel(): void {}

    public resolve4(name: string): Promise<string[]> {
      return resolve(name, 4);
    }

    public resolve6(name: string): Promise<string[]> {
      return resolve(name, 6);
    }
  }
  return { Resolver };
}
