import type { Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { FolderWatch } from './folder-watch';
import { METRICS } from '../../../../src/agent/contract/metrics';
import { described } from '../health/described';

export interface FolderWatchesOptions {
  readonly onChange: () => void;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Watches over the mounted folders of a command; says once, and in a gauge, which of them the kernel does not grant. */
export class FolderWatches {
  private readonly watches: FolderWatch[] = [];
  private readonly failures = new Map<string, string>();

  constructor(private readonly options: FolderWatchesOptions) {
    const unwatched = () => this.failures.size;
    new Gauge({
      ...described(METRICS.unwatchedFolders, options.registry),
      collect() {
        this.set(unwatched());
      },
    });
  }

  /** Follows these folders from now on. */
  public open(folders: Iterable<string>): void {
    for (const folder of new Set(folders)) {
      this.watches.push(new FolderWatch(folder, this.options.onChange, failure => this.noted(folder, failure)));
    }
  }

  public close(): void {
    for (const watch of this.watches) watch.close();
  }

  private noted(folder: string, failure?: string): void {
    const { logger } = this.options;
    const before = this.failures.get(folder);
    if (failure === before) return;
    if (failure === undefined) {
      this.failures.delete(folder);
      logger.info({ folder }, 'the folder is watched again');
      return;
    }
    this.failures.set(folder, failure);
    logger.warn({ folder, reason: failure },
      'the folder cannot be watched and is read every 2 seconds instead; at EMFILE or ENOSPC raise fs.inotify.max_user_instances or max_user_watches of the node');
  }
}
