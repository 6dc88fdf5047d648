import { readFileSync } from 'fs';
import { join } from 'path';
import { codeBlocks } from './code-blocks';
import { exampleNames } from './gallery';
import { SIDEBAR } from './sidebar';
import { Program } from './translate';

const ROOT = join(__dirname, '..', '..');

/** Every program that the website shows in other languages too: the TypeScript blocks of the pages, and the examples. */
export function programsOnSite(): Program[] {
  const files = [...new Set(['README.md', ...SIDEBAR.flatMap(({ pages }) => pages).map(({ file }) => file)])];
  return [
    ...files.flatMap(file => codeBlocks(file, readFileSync(join(ROOT, file), 'utf8')).map(({ line, before, text }) => ({ title: `${file}:${line + 1}`, before, text }))),
    ...exampleNames().map(name => ({ title: `examples/${name}/main.ts`, before: '', text: readFileSync(join(ROOT, 'examples', name, 'main.ts'), 'utf8').trimEnd() })),
  ];
}

/** With all that its reader has already, as it is compiled. */
export function whole({ title, before, text }: Program): Program {
  return { title, before: '', text: before === '' ? text : `${before}\n${text}` };
}
