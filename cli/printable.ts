const MAX_LENGTH = 500;
/** Controls of terminals (C0, DEL, C1), and characters that reorder or hide text. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * One line of text that cannot steer a terminal. What an endpoint says about itself (names in certificates, bodies of
 * responses, errors) and what a file says goes through here before it is shown.
 */
export function printable(text: string, maxLength = MAX_LENGTH): string {
  const line = text.slice(0, maxLength).replace(/\s+/g, ' ').replace(UNSAFE, '?').trim();
  return text.length > maxLength ? `${line}…` : line;
}
