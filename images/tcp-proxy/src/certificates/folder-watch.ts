import { FSWatcher, watch } from 'fs';

/** One event of a swap is followed by more; the content is read once they are over. */
const SETTLE_MS = 50;
/** Some file systems send no events. */
const RECHECK_MS = 30_000;
/** Without a watch, this is how late a change is seen. */
const BLIND_RECHECK_MS = 2_000;

/**
 * Calls back after something in a folder changed, and every now and then without an event; often while the kernel
 * grants no watch, as at the limit of inotify, or when the watch died with its folder.
 * Watching the folder, not a file, is what sees Kubernetes swap the `..data` link of a mounted Secret.
 */
export class FolderWatch {
  private watcher?: FSWatcher;
  private settled?: NodeJS.Timeout;
  private recheck?: NodeJS.Timeout;
  private closed = false;

  /** @param onState is told why there is no watch, or that there is one */
  constructor(private readonly folder: string, private readonly onChange: () => void, private readonly onState: (failure?: string) => void) {
    this.open();
  }

  public close(): void {
    this.closed = true;
    clearTimeout(this.recheck);
    clearTimeout(this.settled);
    this.watcher?.close();
  }

  private open(): void {
    try {
      this.watcher = watch(this.folder, () => {
        clearTimeout(this.settled);
        this.settled = setTimeout(this.onChange, SETTLE_MS);
      });
      this.watcher.on('error', error => this.lost(error));
      this.onState();
      this.recheckLater(RECHECK_MS);
    } catch (error) {
      this.lost(error as NodeJS.ErrnoException);
    }
  }

  private lost({ code, message }: NodeJS.ErrnoException): void {
    this.watcher?.close();
    this.watcher = undefined;
    this.onState(code ?? message);
    this.recheckLater(BLIND_RECHECK_MS);
  }

  private recheckLater(ms: number): void {
    clearTimeout(this.recheck);
    if (this.closed) return;
    this.recheck = setTimeout(() => {
      this.onChange();
      if (this.watcher) this.recheckLater(RECHECK_MS);
      else this.open();
    }, ms);
  }
}
