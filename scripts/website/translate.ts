import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { BatchSnippetTranslator, GoVisitor, ISnippetTranslator, JavaVisitor, PythonVisitor, TypeScriptSnippet } from 'jsii-rosetta';
import * as ts from 'typescript';
import { goCode } from './go-code';
import { javaCode } from './java-code';

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
      seen: Object.fromEntries(LANGUAGES.map(language => [language, rendered(snippet, language)])) as Translations,
      complaints: snippet.diagnostics.filter(({ category }) => category === ts.DiagnosticCategory.Error).map(({ messageText }) => typeof messageText === 'string' ? messageText : messageText.messageText),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rendered(snippet: ISnippetTranslator, language: Language): string {
  const text = snippet.renderUsing(VISITORS[language]()).trimEnd();
  return language === 'go' ? goCode(text) : language === 'java' ? javaCode(text) : text;
}

/** The packages as users have them: ours beside those of this project. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter(each => !each.startsWith('.') && each !== 'cdk8s-hosted-control-plane')) {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  symlinkSync(ROOT, join(modules, 'cdk8s-hosted-control-plane'));
}

function snippetOf({ title, before, text: written }: Program): TypeScriptSnippet {
  const text = plain(written);
  return {
    visibleSource: text,
    completeSource: before === '' ? text : `/// !hide\n${before}\n/// !show\n${text}\n/// !hide\nexport {};`,
    location: { api: { api: 'file', fileName: title } },
  };
}

/** Properties that hold objects of somebody else's, whose names no language changes. */
const OF_OTHERS = ['values', 'k0sConfig', 'platform', 'spec'];

/**
 * The program in words that jsii-rosetta translates right: it takes the variable of `{ name }` for a property in Go, and writes the names in objects of
 * others as Python writes those of ours.
 */
export function plain(text: string): string {
  const file = ts.createSourceFile('program.ts', text, ts.ScriptTarget.ES2022, true);
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: ts.Node, ofOthers: boolean): void => {
    if (ts.isShorthandPropertyAssignment(node)) {
      edits.push({ start: node.getStart(), end: node.getEnd(), text: `${node.name.text}: ${node.name.text}` });
    } else if (ts.isPropertyAssignment(node)) {
      if (ofOthers && ts.isIdentifier(node.name)) {
        edits.push({ start: node.name.getStart(), end: node.name.getEnd(), text: `'${node.name.text}'` });
      }
      const startsOthers = ts.isIdentifier(node.name) && OF_OTHERS.includes(node.name.text) && ts.isObjectLiteralExpression(node.initializer);
      visit(node.initializer, ofOthers || startsOthers);
      return;
    }
    ts.forEachChild(node, child => visit(child, ofOthers));
  };
  visit(file, false);
  return edits.reverse().reduce((whole, edit) => `${whole.slice(0, edit.start)}${edit.text}${whole.slice(edit.end)}`, text);
}
