import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { diagramOf, DIAGRAMS, diagramsIn, markOf } from '../../scripts/website/diagrams';

const ROOT = join(__dirname, '..', '..');
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md')).map(name => `docs/${name}`)];

const DRAWN = DOCUMENTS.filter(file => diagramsIn(file).length > 0);

test.each(DRAWN)('the pictures of the diagrams of %s are of what is written (else run "npx tsx scripts/diagram-pictures.ts")', file => {
  const pictures = diagramsIn(file).map((_, i) => readFileSync(join(ROOT, 'docs', 'images', diagramOf(file, i).picture), 'utf8'));
  expect(pictures.map(svg => /<!-- (drawn from .*) -->/.exec(svg)?.[1])).toEqual(diagramsIn(file).map(markOf));
});

test('every title is of a diagram', () => {
  const titles = Object.entries(DIAGRAMS).map(([file, of]) => [file, of.length]);
  expect(titles).toEqual(Object.keys(DIAGRAMS).map(file => [file, diagramsIn(file).length]));
});

const PICTURES = readdirSync(join(ROOT, 'docs', 'images')).filter(name => name.startsWith('diagram-'));

test.each(PICTURES)('%s has texts that every browser draws in a picture, and asks for nothing', name => {
  const svg = readFileSync(join(ROOT, 'docs', 'images', name), 'utf8');
  expect(svg).not.toMatch(/foreignObject|<script|@import|href="http/);
  expect(svg).toContain('xmlns="http://www.w3.org/2000/svg"');
});
