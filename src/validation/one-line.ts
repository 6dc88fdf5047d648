/** Controls of terminals (C0, DEL, C1), and characters that break, reorder or hide text. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text as one line, with what steers a terminal written out as JSON writes it: messages quote what users and files gave. */
export function oneLine(text: string): string {
  return text.replace(UNSAFE, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
