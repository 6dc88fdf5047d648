import { Random } from '../simulation/random';

/** More than any limit of a parser that is tried. */
const LONGEST = 300_000;

/** What parsers trip over. */
const TOKENS = [
  '\0', '\r\n', '\n', ' ', '\t', '"', '\'', '\\', '{', '}', '[', ']', ':', ',', '---\n', '&a [*a]', '*a', '<<: *a', '!!binary ', '!!js/function ', '%YAML 9.9\n',
  'null', 'true', '-1', '0', '1e999', '99999999999999999999', '__proto__', 'constructor', 'toString', '\u2028', '\ufeff', '\ud800', '…', '-----BEGIN CERTIFICATE-----\n',
  '-----BEGIN PRIVATE KEY-----\n', '-----END CERTIFICATE-----\n', '<<\n', ';', '#', '@', '/', '..', '%s', '::', '127.0.0.1', 'data:', '{{ .Values.a }}', '- ', '? ', '| \n', '> \n',
];

/** Another text, which the numbers decide: a few changes of one of the corpus. */
export function mutated(corpus: readonly string[], random: Random): string {
  let text = random.pick(corpus);
  for (let changes = random.int(1, 6); changes > 0; changes--) text = changed(text, corpus, random).slice(0, LONGEST);
  return text;
}

function changed(text: string, corpus: readonly string[], random: Random): string {
  const at = random.int(0, text.length);
  const until = Math.min(text.length, at + random.int(1, random.chance(0.2) ? 400 : 12));
  const piece = text.slice(at, until);
  switch (random.int(0, 8)) {
    case 0: return text.slice(0, at) + text.slice(until);
    case 1: return text.slice(0, at) + random.pick(TOKENS) + text.slice(at);
    case 2: return text.slice(0, at) + random.pick(TOKENS) + text.slice(until);
    case 3: return text.slice(0, at) + piece.repeat(random.chance(0.05) ? 5_000 : random.int(2, 5)) + text.slice(until);
    case 4: return text.slice(0, at) + String.fromCharCode(random.int(0, random.chance(0.8) ? 127 : 65_535)) + text.slice(until);
    case 5: return text.slice(0, at) + (random.pick(corpus)).slice(random.int(0, 200));
    case 6: return text.slice(0, at);
    case 7: return swapped(text, random);
    default: return text.slice(0, at) + random.pick(TOKENS).repeat(random.chance(0.05) ? 10_000 : 3) + text.slice(at);
  }
}

/** Two of its lines change places. */
function swapped(text: string, random: Random): string {
  const lines = text.split('\n');
  const [a, b] = [random.int(0, lines.length - 1), random.int(0, lines.length - 1)];
  [lines[a], lines[b]] = [lines[b], lines[a]];
  return lines.join('\n');
}

/** A shorter text that still fails, found by leaving out pieces. */
export function minimized(text: string, fails: (candidate: string) => boolean): string {
  let attempts = 0;
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < text.length && attempts++ < 2_000;) {
      const candidate = text.slice(0, at) + text.slice(at + size);
      if (fails(candidate)) text = candidate;
      else at += size;
    }
  }
  return text;
}
