import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { join } from 'path';

/** A folder that changes as the kubelet changes a mounted Secret: all files at once, by a swap of the link `..data`. */
export class MountedFolder {
  private version = 0;

  constructor(public readonly path: string, files: Record<string, string>) {
    mkdirSync(path, { recursive: true });
    this.update(files);
  }

  public update(files: Record<string, string>): void {
    const previous = `..version-${this.version}`;
    const next = `..version-${++this.version}`;
    mkdirSync(join(this.path, next));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(this.path, next, name), content);
    symlinkSync(next, join(this.path, '..data_tmp'));
    renameSync(join(this.path, '..data_tmp'), join(this.path, '..data'));
    for (const name of Object.keys(files)) {
      if (!existsSync(join(this.path, name))) symlinkSync(join('..data', name), join(this.path, name));
    }
    rmSync(join(this.path, previous), { recursive: true, force: true });
  }
}
