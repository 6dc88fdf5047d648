/** Something of a test that runs until it is stopped. */
export interface Part {
  stop(): Promise<void> | void;
}

const running: Part[] = [];
let ended = false;

/** Registers a part, to be stopped by `stopParts`. */
export function keep<T extends Part>(part: T): T {
  running.push(part);
  if (ended) void stopParts();
  return part;
}

/** Stops every part that was started since the last call, the latest first. Belongs into `afterEach`. */
export async function stopParts(): Promise<void> {
  for (const part of running.splice(0).reverse()) {
    await part.stop();
  }
}

/** Stops every part, also those that are being started. For programs that end. */
export async function endParts(): Promise<void> {
  ended = true;
  await stopParts();
}
