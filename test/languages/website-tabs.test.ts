import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { compileGo, compileJava, Complaints, runPython } from './support/tabs';
import { idOf, NOT_SHOWN_FILE, NotShown } from '../../scripts/website/not-shown';
import { programsOnSite, whole } from '../../scripts/website/programs';
import { Language, LANGUAGES, Program, translate, Translated } from '../../scripts/website/translate';

/*
 * The website shows its programs in Python, Go and Java as jsii-rosetta translates them, and not in a language in which they do not compile. Which those are stands in
 * scripts/website/not-shown.json; RECORD_TABS=true writes it anew.
 */
jest.setTimeout(1_200_000);

type Check = (programs: readonly string[], folder: string) => Complaints;
const CHECKS: { readonly [language in Language]: Check } = { python: runPython, go: compileGo, java: compileJava };

let folder: string;
let programs: Program[];
let translated: Translated[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'website-tabs-'));
  const all = programsOnSite();
  const answers = translate(all.map(whole));
  // What jsii-rosetta itself refuses is in TypeScript alone anyway.
  programs = all.filter((_, i) => answers[i].complaints.length === 0);
  translated = answers.filter(({ complaints }) => complaints.length === 0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function complaintsOf(language: Language): Complaints {
  return CHECKS[language](translated.map(({ seen }) => seen[language]), join(folder, language));
}

function written(): NotShown {
  return JSON.parse(readFileSync(NOT_SHOWN_FILE, 'utf8'));
}

test.each(LANGUAGES)('what the website shows in %s compiles, and what it does not show does not', language => {
  const complaints = complaintsOf(language);
  if (process.env.RECORD_TABS === 'true') record(language, complaints);
  const failing = programs.filter((_, i) => complaints[i] !== undefined).map(program => `${idOf(program)} ${program.title}: ${complaints[programs.indexOf(program)]}`);
  const left = Object.entries(written()).filter(([, each]) => each[language] !== undefined).map(([id]) => id);
  expect(failing.filter(each => !left.includes(each.split(' ')[0]))).toEqual([]);
  expect(left.filter(id => !failing.some(each => each.startsWith(id)))).toEqual([]);
  // Where hardly any compiles, it is the packages that are not there.
  expect(failing.length).toBeLessThan(programs.length / 2);
});

/** Sorted, so that what changes shows in the difference. */
function record(language: Language, complaints: Complaints): void {
  const entries = new Map(Object.entries(written()).map(([id, each]) => [id, { ...each, [language]: undefined }]));
  programs.forEach((program, i) => {
    const complaint = complaints[i]?.split(folder).join('');
    if (complaint !== undefined) entries.set(idOf(program), { ...entries.get(idOf(program)), where: program.title.replace(/:\d+$/, ''), [language]: complaint });
  });
  const kept = [...entries].filter(([, each]) => LANGUAGES.some(name => each[name] !== undefined));
  const byPlace = kept.sort(([a, { where: one }], [b, { where: other }]) => (`${one}${a}` < `${other}${b}` ? -1 : 1));
  writeFileSync(NOT_SHOWN_FILE, `${JSON.stringify(Object.fromEntries(byPlace), undefined, 2)}\n`);
}
