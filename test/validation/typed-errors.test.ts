import { readdirSync, readFileSync } from 'fs';
import { join, relative } from 'path';

const SRC = join(__dirname, '..', '..', 'src');

test('every error of the library is one for a wrong input, with its field, reason and remedy', () => {
  const plain = readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile() && file.name.endsWith('.ts'))
    .map(file => join(file.parentPath, file.name))
    .filter(file => !file.includes('/imports/') && /\bnew (Type|Range|Syntax)?Error\(/.test(readFileSync(file, 'utf8')))
    .map(file => relative(SRC, file));
  expect(plain).toEqual([]);
});
