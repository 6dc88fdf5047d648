import { Construction } from '../code';
import { Settings } from '../settings';

/** Paths in the project, and what is in the files. */
export interface Files {
  readonly [path: string]: string;
}

/** What is written. */
export interface App {
  readonly settings: Settings;
  readonly constructions: readonly Construction[];
}

/** A step of the workflow. */
export interface Step {
  /** The action, of those in `actions.ts`. */
  readonly uses?: string;
  readonly with?: { readonly [name: string]: string };
  readonly run?: string;
}

/** How a project of a language looks. */
export interface Language {
  /** What `app` in cdk8s.yaml is. */
  readonly command: string;
  /** What cdk8s.yaml calls the language. */
  readonly name: string;
  /** Commands that a new project needs once. */
  readonly install: readonly string[];
  /** The file that they write and that is committed. @default - none */
  readonly lockFile?: string;
  /** The command of the tests. */
  readonly test: string;
  /** What is ready before both in the workflow. */
  readonly setup: readonly Step[];
  /** Package ecosystem of Dependabot. */
  readonly ecosystem: string;
  /** Files that are not committed. */
  readonly ignored: readonly string[];
  /** The file that has the control planes, and that of the test. */
  readonly sources: { readonly app: string; readonly test: string };
  /** The app, its test and what builds both. */
  files(app: App): Files;
}

/** Lines with a blank one between the parts. */
export function paragraphs(parts: readonly (readonly string[])[]): string[] {
  return parts.flatMap((lines, i) => i === 0 ? lines : ['', ...lines]);
}

/** Each line that has something in it, further in. */
export function indented(lines: readonly string[], indent: string): string[] {
  return lines.map(line => line === '' ? '' : `${indent}${line}`);
}

export function fileOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
