/** Lets one loop wait until something happened. A notification that comes before the wait is not lost. */
export class Wakeup {
  private notified = false;
  private wake?: () => void;

  notify(): void {
    this.notified = true;
    this.wake?.();
  }

  /** Waits for a notification, at most for the given milliseconds. */
  async wait(timeoutMs?: number): Promise<void> {
    if (!this.notified) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        if (timeoutMs !== undefined) timer = setTimeout(resolve, timeoutMs);
      });
      clearTimeout(timer);
      this.wake = undefined;
    }
    this.notified = false;
  }
}
