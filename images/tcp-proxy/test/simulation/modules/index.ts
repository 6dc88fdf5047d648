import * as crypto from 'crypto';
import { childProcessModule } from './child-process';
import { dnsModule } from './dns';
import { filesModule, filePromisesModule } from './files';
import { httpModule } from './http';
import { httpsModule } from './https';
import { netModule, tlsModule } from './sockets';
import type { SimulatedProcess } from '../simulated-process';

/** What `require` of a process answers: everything that reaches outside is simulated, the rest is what it is. */
export function moduleOf(name: string, process: SimulatedProcess): unknown {
  switch (name.replace(/^node:/, '')) {
    case 'child_process': return childProcessModule(process);
    case 'crypto': return cryptoModule(process);
    case 'dns/promises': return dnsModule(process);
    case 'fs': return filesModule(process);
    case 'fs/promises': return filePromisesModule(process);
    case 'http': return httpModule(process);
    case 'https': return httpsModule(process);
    case 'net': return netModule(process);
    case 'pino': return process.pino();
    case 'timers/promises': return { setTimeout: delayOf(process) };
    case 'tls': return tlsModule(process);
    case 'v8': return { setFlagsFromString: () => undefined };
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    default: return require(name);
  }
}

/** The same text is read again and again; a seed is to cost decisions, not arithmetic. */
const certificates = new Map<string, crypto.X509Certificate>();
const keys = new Map<string, crypto.KeyObject>();

function remembered<T>(known: Map<string, T>, text: string, make: () => T): T {
  const value = known.get(text) ?? make();
  if (known.size > 1_000) known.clear();
  known.set(text, value);
  return value;
}

function CachedCertificate(content: string | Buffer): crypto.X509Certificate {
  return remembered(certificates, typeof content === 'string' ? content : content.toString('latin1'), () => new crypto.X509Certificate(content));
}

/** Web Crypto works in threads of its own: time waits for it. */
function cryptoModule({ around }: SimulatedProcess): unknown {
  const subtle = new Proxy(crypto.webcrypto.subtle, {
    get(target, name) {
      const method = (target as unknown as Record<PropertyKey, (...args: unknown[]) => Promise<unknown>>)[name];
      return (...args: unknown[]) => around.clock.outside(() => method.apply(target, args));
    },
  });
  const webcrypto = { subtle, getRandomValues: (array: Uint8Array) => crypto.webcrypto.getRandomValues(array) };
  const createPrivateKey = (pem: string) => remembered(keys, pem, () => crypto.createPrivateKey(pem));
  return { ...crypto, webcrypto, createPrivateKey, X509Certificate: CachedCertificate };
}

function delayOf(process: SimulatedProcess) {
  return <T>(ms = 0, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T | undefined> => new Promise((resolve, reject) => {
    const abort = () => {
      process.clearTimeout(timer);
      reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }));
    };
    const timer = process.setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    }, ms) as { event?: never };
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
