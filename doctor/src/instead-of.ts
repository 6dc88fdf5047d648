import { existsSync } from 'fs';
import { isHost } from './live/target';

const COMMANDS = ['manifests', 'live', 'prerequisites', 'move'];
/** More letters to change are another word. */
const MAX_CHANGES = 2;

/** What to write in the place of words that no command takes, such as those of `doctor <host>`, which is `doctor live` now. */
export function insteadOf(words: string[]): string {
  const [first] = words;
  if (first.startsWith('-')) return formerly(words);
  const near = COMMANDS.find(command => (first !== '' && command.startsWith(first)) || changes(command, first) <= MAX_CHANGES);
  if (near) return `there is no command ${JSON.stringify(first)}: write doctor ${written([near, ...words.slice(1)])}`;
  if (existsSync(first)) return `there is no command ${JSON.stringify(first)}: to compare manifests, write doctor ${written(['manifests', ...words])}`;
  if (isHost(first)) return formerly(words);
  return `there is no command ${JSON.stringify(first)}: choose doctor manifests <path…>, which compares YAML, or doctor live <host>, which goes over the network`;
}

/** The former spelling named a host, or flags alone. Its `--kubeconfig` was that of the tenant. */
function formerly(words: string[]): string {
  const now = words.map(word => word.replace(/^--kubeconfig(?==|$)/, '--tenant-kubeconfig'));
  return `network checks are "doctor live" now: write doctor ${written(['live', ...now])} ("doctor manifests" compares YAML without a network)`;
}

/** As a shell takes it. */
function written(words: string[]): string {
  return words.map(word => /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`).join(' ');
}

/** How many letters are to be changed, added or taken away (Levenshtein). */
function changes(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    row = row.reduce<number[]>((next, above, j) => [
      ...next,
      j === 0 ? i + 1 : Math.min(above + 1, next[j - 1] + 1, row[j - 1] + (letter === to[j - 1] ? 0 : 1)),
    ], []);
  }
  return row[to.length];
}
