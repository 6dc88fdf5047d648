import { existsSync, readdirSync } from 'fs';
import { join } from 'path';
import { pathOf, SIDEBAR } from '../../scripts/website/sidebar';

const ROOT = join(__dirname, '..', '..');
const FILES = SIDEBAR.flatMap(({ pages }) => pages.map(({ file }) => file));

test('every page of docs/ is in the sidebar of the website, once (else add it to scripts/website/sidebar.ts)', () => {
  const pages = readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md')).map(name => `docs/${name}`);
  expect(FILES.filter(file => file.startsWith('docs/')).sort()).toEqual(pages.sort());
});

test('what is in the sidebar is there, each at a path of its own', () => {
  expect(FILES.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(new Set(FILES.map(pathOf)).size).toBe(FILES.length);
});
