import { invalidInput } from './invalid-input';
import { validateText } from './text';

const RANGES: readonly [name: string, first: number, last: number][] = [
  ['minute', 0, 59], ['hour', 0, 23], ['day', 1, 31], ['month', 1, 12], ['day of the week', 0, 6],
];
const NAMES: readonly string[] = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec', 'sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const SHORT = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/;

/** Checks a schedule of a CronJob (robfig/cron, standard parser). */
export function validateSchedule(field: string, schedule: string): string {
  const parts = validateText(field, schedule).split(' ');
  if (!SHORT.test(schedule) && !(parts.length === RANGES.length && parts.every((part, i) => isPart(part, RANGES[i])))) {
    throw invalidInput(field, schedule, 'is not a schedule', 'Give minute, hour, day, month and day of the week, e.g. "0 12 * * *"');
  }
  return schedule;
}

function isPart(part: string, [, first, last]: readonly [string, number, number]): boolean {
  return part.split(',').every(item => {
    const match = /^(?:\*|\?|([0-9a-z]{1,3})(?:-([0-9a-z]{1,3}))?)(?:\/([1-9]\d?))?$/i.exec(item);
    if (!match) {
      return false;
    }
    const [from, to] = match.slice(1, 3).map(text => text === undefined ? undefined : numberOf(text, first));
    return [from, to].every(number => number === undefined || (first <= number && number <= last)) && (to === undefined || from! <= to);
  });
}

/** Months and days of the week have names too. */
function numberOf(text: string, first: number): number {
  const name = NAMES.indexOf(text.toLowerCase());
  return name < 0 ? Number(text) : name < 12 ? (first === 1 ? name + 1 : NaN) : (first === 0 ? name - 12 : NaN);
}
