/** How a controller is installed that no chart of this library installs. */
export interface Installation {
  /** Why not by a chart, in a sentence that begins with the controller. */
  readonly reason: string;
  /** What to do instead. */
  readonly remedy: string;
}
