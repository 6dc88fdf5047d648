import { UNSAFE_CHARACTERS } from './unsafe-characters';

/** A text as one line, with what steers a terminal written out as JSON writes it: messages quote what users and files gave. */
export function oneLine(text: string): string {
  return text.replace(UNSAFE_CHARACTERS, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
