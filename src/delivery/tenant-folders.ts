import { createHash } from 'crypto';
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'fs';
import { dirname, join, relative, sep } from 'path';
import { App } from 'cdk8s';
import { addConstructMetadata, takeConstructMetadata } from './construct-metadata';
import { FolderOwner, isSameOwner, MARK, readMark, writeMark } from './folder-mark';
import { TenantApp } from './tenant-app';
import { invalidInput } from '../validation/invalid-input';

/** A tenant whose manifests are written. */
export interface WrittenTenant {
  readonly folder: string;
  readonly app: TenantApp;
}

/**
 * The folders of the tenants of one `TenantCharts`.
 *
 * A mark in each says which files were written. So those that were taken out are removed, with the folders of tenants that are no
 * more, and nothing that somebody else put there. A run that ends in between leaves no file half written, and the next run
 * completes it.
 */
export class TenantFolders {
  public constructor(private readonly app: App, private readonly charts: string, private readonly outputFolder: string) {}

  /** Refuses folders that somebody else writes, before anything is written. */
  public requireOwn(folders: string[]): void {
    for (const folder of folders.map(name => join(this.root, name))) {
      requireFolder(folder);
      const owner = readMark(folder)?.owner;
      if (owner && !isSameOwner(owner, this.owner)) {
        throw invalidInput('folder', folder, `has the manifests of ${owner.charts} of the app that writes to ${join(this.root, owner.output)}`,
          'Give each app, e.g. each environment, an outputFolder of its own; or delete the folder if that app writes it no more');
      }
    }
  }

  /** Writes the manifests of the tenants, and removes those of tenants that there were. */
  public write(tenants: WrittenTenant[]): void {
    const { root } = this;
    const staging = join(root, `.tenants-${createHash('sha256').update(JSON.stringify(this.owner)).digest('hex').slice(0, 10)}`);
    // Of a run that ended before it was done.
    rmSync(staging, { recursive: true, force: true });
    try {
      const metadata = tenants.map(({ folder, app }) => {
        app.write(join(staging, folder));
        return takeConstructMetadata(join(staging, folder));
      });
      tenants.forEach(({ folder }) => this.publish(join(staging, folder), join(root, folder)));
      addConstructMetadata(this.app.outdir, metadata);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
    this.prune(new Set(tenants.map(({ folder }) => folder)));
  }

  private publish(staged: string, folder: string): void {
    const { owner } = this;
    const files = filesOf(staged);
    const old = readMark(folder)?.files.filter(file => !files.includes(file)) ?? [];
    mkdirSync(folder, { recursive: true });
    // First, so that no file is ever there that the mark does not name.
    writeMark(folder, { owner, files: [...files, ...old] });
    for (const file of files) {
      requireFolder(dirname(join(folder, file)));
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      renameSync(join(staged, file), join(folder, file));
    }
    if (old.length > 0) {
      removeFiles(folder, old);
      writeMark(folder, { owner, files });
    }
  }

  /** Removes the folders of tenants that are no more, but for what somebody else put there. */
  private prune(current: Set<string>): void {
    const { root } = this;
    for (const name of foldersOf(root).filter(folder => !current.has(folder))) {
      const folder = join(root, name);
      const files = filesWrittenBy(this.owner, folder);
      if (files) {
        removeFiles(folder, files);
        removeFiles(folder, [MARK, `${MARK}.new`]);
        removeIfEmpty(folder);
      }
    }
  }

  private get root(): string {
    return join(this.app.outdir, this.outputFolder);
  }

  private get owner(): FolderOwner {
    return { output: relative(this.root, this.app.outdir).split(sep).join('/') || '.', charts: this.charts };
  }
}

/** A link would have files written, or removed, where nobody looks for them. */
function requireFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw invalidInput('folder', path, 'is there and is no folder', 'Remove it, or set another "folder" in TenantCharts.of()');
  }
}

function foldersOf(root: string): string[] {
  if (!lstatSync(root, { throwIfNoEntry: false })) {
    return [];
  }
  return readdirSync(root, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(({ name }) => name);
}

/** Undefined for a folder of somebody else, or whose mark cannot be read. */
function filesWrittenBy(owner: FolderOwner, folder: string): string[] | undefined {
  try {
    const mark = readMark(folder);
    return mark && isSameOwner(mark.owner, owner) ? mark.files : undefined;
  } catch {
    return undefined;
  }
}

/** Paths of all files, with slashes. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')).sort();
}

function removeFiles(folder: string, files: string[]): void {
  const below = new Set(files.map(file => dirname(join(folder, file))).filter(parent => parent !== folder));
  const linked = [...below].filter(parent => lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() !== true);
  files.map(file => join(folder, file)).filter(path => !linked.includes(dirname(path)) && isFile(path)).forEach(path => rmSync(path));
  below.forEach(parent => linked.includes(parent) || removeIfEmpty(parent));
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) {
    rmdirSync(folder);
  }
}
