import { dirname, normalize } from 'path';

type Listener = () => void;

/** The files that the containers of a pod see, in memory. */
export class SimulatedFiles {
  private readonly files = new Map<string, Buffer>();
  private readonly folders = new Set<string>(['/']);
  private readonly watchers = new Map<string, Set<Listener>>();
  /** Nothing more fits on it. */
  public full = false;

  /** @throws NodeJS.ErrnoException */
  public read(path: string): Buffer {
    const content = this.files.get(normalize(path));
    if (content === undefined) throw systemError('ENOENT', 'open', path);
    return content;
  }

  /** @throws NodeJS.ErrnoException */
  public write(path: string, content: string | Buffer): void {
    const file = normalize(path);
    if (this.full) throw systemError('ENOSPC', 'write', path);
    if (!this.folders.has(dirname(file))) throw systemError('ENOENT', 'open', path);
    this.files.set(file, Buffer.from(content));
    this.changed(dirname(file));
  }

  /** @throws NodeJS.ErrnoException */
  public rename(from: string, to: string): void {
    const content = this.files.get(normalize(from));
    if (content === undefined) throw systemError('ENOENT', 'rename', from);
    this.files.delete(normalize(from));
    this.files.set(normalize(to), content);
    this.changed(dirname(normalize(to)));
  }

  public makeFolder(path: string): void {
    for (let folder = normalize(path); folder !== '/'; folder = dirname(folder)) this.folders.add(folder);
  }

  public exists(path: string): boolean {
    return this.files.has(normalize(path)) || this.folders.has(normalize(path));
  }

  /** @throws NodeJS.ErrnoException */
  public list(path: string): string[] {
    const folder = normalize(path);
    if (!this.folders.has(folder)) throw systemError('ENOENT', 'scandir', path);
    return [...this.files.keys()].filter(file => dirname(file) === folder).map(file => file.slice(folder.length + 1)).sort();
  }

  /** What the kubelet does: all files of a mounted folder change at once. */
  public mount(path: string, contents: Readonly<Record<string, string>>): void {
    const folder = normalize(path);
    this.makeFolder(folder);
    for (const name of this.list(folder)) this.files.delete(`${folder}/${name}`);
    for (const [name, content] of Object.entries(contents)) this.files.set(`${folder}/${name}`, Buffer.from(content));
    this.changed(folder);
  }

  /** @returns ends the watch */
  public watch(path: string, listener: Listener): () => void {
    const folder = normalize(path);
    if (!this.folders.has(folder)) throw systemError('ENOENT', 'watch', path);
    const listeners = this.watchers.get(folder) ?? new Set();
    this.watchers.set(folder, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  private changed(folder: string): void {
    for (const listener of [...this.watchers.get(folder) ?? []]) listener();
  }
}

export function systemError(code: string, syscall: string, path = ''): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${syscall}${path && ` '${path}'`}`), { code, syscall });
}
