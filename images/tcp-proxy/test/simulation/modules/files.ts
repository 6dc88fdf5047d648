import { constants } from 'fs';
import type { Fault } from '../faults';
import { systemError } from '../simulated-files';
import type { SimulatedProcess } from '../simulated-process';

/** What can happen to what is done with a file; to others, nothing comes of a second time, or of what is garbled. */
const CAN: Readonly<Record<string, readonly Fault[]>> = {
  read: ['fails', 'hangs', 'garbled'],
  write: ['fails', 'hangs', 'twice', 'garbled'],
  copy: ['fails', 'hangs', 'twice', 'garbled'],
  list: ['fails', 'hangs', 'garbled'],
};
/** What a disk needs, and what one that hangs needs. */
const ACCESS_MS = 0.2;
const HANGS_MS = 30_000;

/** `fs/promises`, as far as the agent uses it. */
export function filePromisesModule(process: SimulatedProcess): unknown {
  const { files } = process.container;
  const same = <T>(result: T) => result;
  const access = <T>(what: string, path: string, perform: () => T, garble: (result: T) => T = same) => new Promise<T>((resolve, reject) => {
    const fault = process.faultOf('file', `${what} ${path}`, CAN[what] ?? ['fails', 'hangs']);
    const done = () => {
      try {
        if (fault === 'fails') throw systemError('EIO', what, path);
        const result = perform();
        if (fault === 'twice') perform();
        resolve(fault === 'garbled' ? garble(result) : result);
      } catch (error) {
        reject(error);
      }
    };
    process.later(fault === 'hangs' ? HANGS_MS : ACCESS_MS, done);
  });
  const halved = <T extends Buffer | string>(content: T) => content.slice(0, Math.floor(content.length / 2)) as T;
  return {
    constants,
    readFile: (path: string, encoding?: BufferEncoding) => access<Buffer | string>('read', path, () => encoded(files.read(path), encoding), halved),
    // A disk that breaks in the middle says so.
    writeFile: (path: string, content: string | Iterable<string>) => {
      const text = typeof content === 'string' ? content : [...content].join('');
      return access('write', path, () => files.write(path, text), () => {
        files.write(path, halved(text));
        throw systemError('EIO', 'write', path);
      });
    },
    rename: (from: string, to: string) => access('rename', to, () => files.rename(from, to)),
    copyFile: (from: string, to: string) => access('copy', to, () => files.write(to, files.read(from)), () => {
      files.write(to, halved(files.read(from)));
      throw systemError('EIO', 'copyfile', to);
    }),
    mkdir: (path: string) => access('mkdir', path, () => files.makeFolder(path)),
    access: (path: string) => access('access', path, () => {
      if (!files.exists(path)) throw systemError('ENOENT', 'access', path);
    }),
    stat: (path: string) => access('stat', path, () => ({ size: files.read(path).length })),
    readdir: (path: string) => access('list', path, () => files.list(path), names => names.slice(1)),
  };
}

/** `fs`, as far as the agent uses it. */
export function filesModule(process: SimulatedProcess): unknown {
  const { files } = process.container;
  const access = <T>(what: string, path: string, perform: () => T, garble: () => T = perform): T => {
    const fault = process.faultOf('file', `${what} ${path}`, garble === perform ? ['fails'] : ['fails', 'garbled']);
    if (fault === 'fails') throw systemError('EIO', what, path);
    return fault === 'garbled' ? garble() : perform();
  };
  const halfOf = (content: Buffer) => content.subarray(0, content.length / 2);
  return {
    constants,
    existsSync: (path: string) => files.exists(path),
    readFileSync: (path: string) => access('read', path, () => files.read(path), () => halfOf(files.read(path))),
    writeFileSync: (path: string, content: string) => access('write', path, () => files.write(path, content), () => {
      files.write(path, halfOf(Buffer.from(content)));
      throw systemError('EIO', 'write', path);
    }),
    renameSync: (from: string, to: string) => access('rename', to, () => files.rename(from, to)),
    watch: (path: string, listener: () => void) => {
      if (process.faultOf('file', `watch ${path}`, ['fails']) === 'fails') throw systemError('EMFILE', 'watch', path);
      const close = files.watch(path, () => process.later(0, listener));
      return { close, on: () => undefined };
    },
  };
}

function encoded(content: Buffer, encoding?: BufferEncoding): Buffer | string {
  return encoding ? content.toString(encoding) : Buffer.from(content);
}
