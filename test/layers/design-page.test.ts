import { readFileSync } from 'fs';
import { join } from 'path';

const ROOT = join(__dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'design.md'), 'utf8');

test('the rooms of the design page are those of the lint rule, in its order', () => {
  const [, layers] = /^const LAYERS = \[\n([^\]]*)\];/m.exec(readFileSync(join(ROOT, '.projenrc.ts'), 'utf8'))!;
  const table = page.slice(page.indexOf('| room of `src/` |'), page.indexOf('The programs stand beside'));
  const rooms = [...table.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, names]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(rooms).toEqual([...layers.matchAll(/'([^']+)'/g)].map(([, name]) => name));
});

test('the design is one page', () => {
  expect(page.split('\n').length).toBeLessThanOrEqual(85);
});
