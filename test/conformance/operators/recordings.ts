import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { OperatorAnswer } from './answer';
import { distinct, OperatorCase } from './cases';

/** What one version of an operator answered to the cases of the matrix. */
export interface Recording {
  /** As its makers write it. */
  readonly system: string;
  readonly version: string;
  /** Type of the platform of this library; the file is called after it. */
  readonly platformType: string;
  /** By the hash of a case. */
  readonly answers: { readonly [hash: string]: OperatorAnswer };
}

/** As a file has it: most cases share most of their answers, so each part stands there once. */
interface RecordingFile extends Omit<Recording, 'answers'> {
  readonly parts: { readonly [field: string]: unknown[] };
  /** The case, and where each of its parts stands. */
  readonly cases: { readonly [hash: string]: { readonly case: string } & { readonly [field: string]: number | string } };
}

const FOLDER = join(__dirname, '..', 'recordings');

/** All recordings, by file. */
export function recordings(): Recording[] {
  return readdirSync(FOLDER).filter(name => name.endsWith('.json')).sort().map(name => {
    const { parts, cases, ...recording } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as RecordingFile;
    const answers = Object.entries(cases).map(([hash, { case: _, ...indexes }]) =>
      [hash, Object.fromEntries(Object.entries(indexes).map(([field, index]) => [field, parts[field][index as number]]))]);
    return { ...recording, answers: Object.fromEntries(answers) };
  });
}

/**
 * Writes what an operator answered, in place of what any version of it answered before to these cases.
 *
 * @param all every case there is: answers to those that were not asked stay, if they are of this version
 */
export function saveRecording(recording: Omit<Recording, 'answers'>, news: (readonly [OperatorCase, OperatorAnswer])[], all: OperatorCase[]): void {
  const { version, platformType } = recording;
  const before = recordings().find(found => found.platformType === platformType && found.version === version)?.answers ?? {};
  const answered = new Map(news.map(([{ hash }, answer]) => [hash, answer]));
  const answers = distinct(all).flatMap(of => {
    const answer = answered.get(of.hash) ?? before[of.hash];
    return answer ? [[of, answer] as const] : [];
  });
  const parts: { [field: string]: string[] } = {};
  const cases = answers.map(([{ hash, title }, answer]) => [hash, {
    case: title,
    ...Object.fromEntries(Object.entries(answer).map(([field, value]) => {
      const known = parts[field] ??= [];
      const text = JSON.stringify(value);
      return [field, known.includes(text) ? known.indexOf(text) : known.push(text) - 1];
    })),
  }]);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${recording.platformType}.json`), lines({ ...recording, parts, cases }));
}

/** JSON with a line for each part and each case, so that a change shows as one line. */
function lines({ parts, cases, ...recording }: Omit<Recording, 'answers'> & { parts: { [field: string]: string[] }; cases: any[][] }): string {
  const fields = Object.entries(parts).map(([field, values]) => `  ${JSON.stringify(field)}: [\n${values.map(value => `    ${value}`).join(',\n')}\n  ]`);
  const entries = cases.map(([hash, value]) => `  ${JSON.stringify(hash)}: ${JSON.stringify(value)}`);
  const { system, version, platformType } = recording;
  return `{"system": ${JSON.stringify(system)}, "version": ${JSON.stringify(version)}, "platformType": ${JSON.stringify(platformType)},\n"parts": {\n${fields.join(',\n')}\n},\n"cases": {\n${entries.join(',\n')}\n}}\n`;
}
