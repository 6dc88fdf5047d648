/** A short sequence that has each of these as a subsequence. */
export function supersequence(sequences: readonly (readonly string[])[]): string[] {
  return sequences.reduce<string[]>((all, sequence) => isSubsequence(sequence, all) ? all : mergeTwo(all, sequence), []);
}

function isSubsequence(sequence: readonly string[], of: readonly string[]): boolean {
  let at = 0;
  for (const element of of) {
    at += at < sequence.length && element === sequence[at] ? 1 : 0;
  }
  return at === sequence.length;
}

/** The elements of both, with their longest common subsequence once. */
function mergeTwo(a: readonly string[], b: readonly string[]): string[] {
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const merged: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      merged.push(a[i]);
      [i, j] = [i + 1, j + 1];
    } else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) {
      merged.push(a[i++]);
    } else {
      merged.push(b[j++]);
    }
  }
  return merged;
}
