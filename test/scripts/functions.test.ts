import { readdirSync, readFileSync } from 'fs';
import { basename, dirname, join } from 'path';

const SCRIPTS = join(__dirname, '..', '..', 'scripts');
/** Functions of scripts/lib/go.sh have names that begin with go_. */
const ROOMS = readdirSync(join(SCRIPTS, 'lib')).map(name => basename(name, '.sh'));
const CALL = new RegExp(`(?<![\\w$"'/.{-])(?:${ROOMS.join('|')})_\\w+(?![\\w=+.(/])`, 'g');

/** A script, and all that it sources. */
function textOf(path: string): string {
  const text = readFileSync(path, 'utf8').replace(/^\s*#.*$/gm, '');
  const sourced = [...text.matchAll(/^source "\$\(dirname "\$\{BASH_SOURCE\[0\]\}"\)\/(\S+)"$/gm)];
  return [text, ...sourced.map(([, other]) => textOf(join(dirname(path), other)))].join('\n');
}

const scripts = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.sh'));

// A script whose work is done and kept would not show that it calls what is no longer there.
test.each(scripts)('%s calls only functions that it has or sources', name => {
  const text = textOf(join(SCRIPTS, name));
  const known = new Set([...text.matchAll(/^(\w+)\(\)/gm)].map(([, each]) => each));
  expect([...new Set(text.match(CALL))].filter(each => !known.has(each))).toEqual([]);
});
