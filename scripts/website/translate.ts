import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { BatchSnippetTranslator, GoVisitor, JavaVisitor, PythonVisitor, TypeScriptSnippet } from 'jsii-rosetta';

/*
 * Programs in the other languages, by jsii-rosetta, which asks the compiled package (.jsii, lib/) for the types: run "npx projen compile" before.
 */
export const LANGUAGES = ['python', 'go', 'java'] as const;
export type Language = typeof LANGUAGES[number];
export type Translations = { readonly [language in Language]: string };

export interface Program {
  /** Shown in messages, e.g. `docs/dns.md:12`. */
  readonly title: string;
  /** What readers have already and do not see, e.g. imports. */
  readonly before: string;
  readonly text: string;
}

export interface Translated {
  /** What is seen, in each language. */
  readonly seen: Translations;
  /** What TypeScript's compiler says of the program; nothing where it compiles. */
  readonly complaints: readonly string[];
}

const ROOT = join(__dirname, '..', '..');
const VISITORS = { python: () => new PythonVisitor(), go: () => new GoVisitor(), java: () => new JavaVisitor() };

/** Translates programs, all at once, as starting the compiler takes longest. */
export function translate(programs: readonly Program[]): Translated[] {
  const folder = mkdtempSync(join(tmpdir(), 'translate-'));
  try {
    linkPackages(folder);
    const batch = new BatchSnippetTranslator(programs.map(snippetOf), { compilationDirectory: folder, includeCompilerDiagnostics: true });
    return [...batch].map(([, snippet]) => ({
      seen: Object.fromEntries(LANGUAGES.map(language => [language, snippet.renderUsing(VISITORS[language]()).trimEnd()])) as Translations,
      complaints: snippet.diagnostics.filter(({ category }) => category === ERROR).map(({ messageText }) => typeof messageText === 'string' ? messageText : messageText.messageText),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `ts.DiagnosticCategory.Error`. */
const ERROR = 1;

/** The packages as users have them: ours beside those of this project. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter(each => !each.startsWith('.') && each !== 'cdk8s-hosted-control-plane')) {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  symlinkSync(ROOT, join(modules, 'cdk8s-hosted-control-plane'));
}

function snippetOf({ title, before, text }: Program): TypeScriptSnippet {
  return {
    visibleSource: text,
    completeSource: before === '' ? text : `/// !hide\n${before}\n/// !show\n${text}\n/// !hide\nexport {};`,
    location: { api: { api: 'file', fileName: title } },
  };
}
