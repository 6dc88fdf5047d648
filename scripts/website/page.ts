import { readFileSync } from 'fs';
import { basename, join } from 'path';
import { codeBlocks } from './code-blocks';
import { diagramOf } from './diagrams';
import { addressOf, Link, withLinks } from './links';
import { isNotShown } from './not-shown';
import { pathOf, SIDEBAR } from './sidebar';
import { Language, Program, Translated } from './translate';

const ROOT = join(__dirname, '..', '..');
const TABS: { readonly [language in Language | 'ts']: string } = { ts: 'TypeScript', python: 'Python', go: 'Go', java: 'Java' };

/** What translates programs; nothing where the compiled package is missing. */
export type Translator = (programs: readonly Program[]) => readonly Translated[];

/** A page of the website, made from a Markdown file of the project. */
export function pageOf(file: string, translator: Translator): string {
  const markdown = readFileSync(join(ROOT, file), 'utf8');
  return withLinks(file, withTabs(file, withPictures(file, markdown), translator), targetOnSite);
}

/** Pages of the website, API.md and pictures by their paths there; everything else on GitHub. */
function targetOnSite(link: Link): string | undefined {
  const { file, anchor, picture } = link;
  if (file === undefined) {
    return undefined;
  }
  if (picture) {
    return `/images/${basename(file)}`;
  }
  if (file === 'API.md') {
    return `/api/index.md${anchor}`;
  }
  return file === 'README.md' || SIDEBAR.some(({ pages }) => pages.some(page => page.file === file)) ? `/${pathOf(file)}.md${anchor}` : addressOf(link);
}

/** Pictures in the place of Mermaid. */
export function withPictures(file: string, markdown: string): string {
  let number = 0;
  return markdown.replace(/^```mermaid\n[\s\S]*?^```$/gm, () => {
    const { picture, title } = diagramOf(file, number++);
    return `![${title}](${'../'.repeat(file.split('/').length - 1)}docs/images/${picture})`;
  });
}

/** Each block of TypeScript with the other languages beside it, but for those in which it does not compile. */
function withTabs(file: string, markdown: string, translator: Translator): string {
  const blocks = codeBlocks(file, markdown);
  const programs = blocks.map(({ line, before, text }) => ({ title: `${file}:${line + 1}`, before, text }));
  const translated = translator(programs);
  const lines = markdown.split('\n');
  for (const [i, { line, indent, text }] of [...blocks.entries()].reverse()) {
    const group = tabs(programs[i], translated[i]).split('\n').map(each => each === '' ? '' : `${indent}${each}`);
    lines.splice(line, text.split('\n').length + 2, ...group);
  }
  return lines.join('\n');
}

export function tabs(program: Program, translated: Translated | undefined): string {
  const { text } = program;
  const fence = (language: Language | 'ts', code: string) => ['```' + `${language} [${TABS[language]}]`, code, '```'];
  const shown = translated === undefined || translated.complaints.length > 0 ? [] : (['python', 'go', 'java'] as const).filter(language => !isNotShown(program, language));
  return shown.length === 0
    ? ['```ts', text, '```'].join('\n')
    : ['::: code-group', ...fence('ts', text), ...shown.flatMap(language => fence(language, translated!.seen[language])), ':::'].join('\n');
}
