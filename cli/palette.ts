/** How a status looks in a terminal. */
export type Tone = 'good' | 'attention' | 'bad' | 'dim' | 'strong';

const CODES: Record<Tone, string> = { good: '32', attention: '33', bad: '31', dim: '2', strong: '1' };

export type Paint = (tone: Tone, text: string) => string;

/** Colours for a terminal, and for nothing else: a file or a pipe gets plain text. `NO_COLOR` (no-color.org) is honoured. */
export function paintFor(stream: { isTTY?: boolean }, wanted: boolean, environment: NodeJS.ProcessEnv = process.env): Paint {
  const colours = wanted && stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
  return colours ? (tone, text) => `\u001b[${CODES[tone]}m${text}\u001b[0m` : (_, text) => text;
}
