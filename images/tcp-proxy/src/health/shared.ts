/** Calls that come while one is under way get the result of that one. */
export function shared<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  return () => current ??= call().finally(() => {
    current = undefined;
  });
}
