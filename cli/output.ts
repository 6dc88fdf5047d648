import { printable } from './printable';

/** JSON whose texts cannot steer a terminal, and have an end. */
export function jsonText(value: unknown, maxLength?: number): string {
  return JSON.stringify(value, (_, each) => typeof each === 'string' ? printable(each, maxLength) : each, 2);
}

/** A reader such as `head` may leave early. */
export function print(text: string): void {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => undefined);
  process.stdout.write(`${text}\n`);
}

/** `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
