import { FSWatcher, watch } from 'fs';

/** One event of a swap is followed by more; the content is read once they are over. */
const SETTLE_MS = 50;

/**
 * Calls back after something in a folder changed, and every now and then without an event:
 * some file systems send none, and a watch dies with its folder.
 * Watching the folder, not a file, is what sees Kubernetes swap the `..data` link of a mounted Secret.
 */
export class FolderWatch {
  private watcher?: FSWatcher;
  private settled?: NodeJS.Timeout;
  private readonly recheck: NodeJS.Timeout;

  constructor(private readonly folder: string, private readonly onChange: () => void, recheckMs = 30_000) {
    this.open();
    this.recheck = setInterval(() => {
      if (!this.watcher) this.open();
      onChange();
    }, recheckMs);
  }

  public close(): void {
    clearInterval(this.recheck);
    clearTimeout(this.settled);
    this.watcher?.close();
  }

  private open(): void {
    try {
      this.watcher = watch(this.folder, () => {
        clearTimeout(this.settled);
        this.settled = setTimeout(this.onChange, SETTLE_MS);
      });
      this.watcher.on('error', () => this.reopenLater());
    } catch {
      this.reopenLater();
    }
  }

  private reopenLater(): void {
    this.watcher?.close();
    this.watcher = undefined;
  }
}
