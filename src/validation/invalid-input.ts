/**
 * Builds the error for one wrong input.
 *
 * Every message of this library has the same four parts, so that a reader of
 * a failed `cdk8s synth` knows what to change without opening the docs.
 *
 * @param field  the property as the user wrote it, e.g. `hostname`
 * @param value  what the user gave
 * @param reason why it cannot work; continues the sentence that starts with the value
 * @param remedy what to write instead; a sentence of its own
 */
export function invalidInput(field: string, value: unknown, reason: string, remedy: string): Error {
  return new Error(`${field}: ${shown(value)} ${reason}. ${remedy}.`);
}

/** JSON would show NaN and infinite numbers as `null`. */
function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
