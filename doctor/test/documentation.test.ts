import { readFileSync } from 'fs';
import { join } from 'path';
import { RULES } from '../../src/findings/rules';
import { liveCommand } from '../src/live/command';
import { HOP_TITLES } from '../src/live/hop';
import { manifestsCommand } from '../src/manifests/command';
import { moveCommand } from '../src/move/command';
import { COMPARISONS } from '../src/move/comparisons';
import { prerequisitesCommand } from '../src/prerequisites/command';

const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'doctor.md'), 'utf8');

describe('docs/doctor.md', () => {
  test('has every code with its severity and meaning', () => {
    const rows = PAGE.split('\n').filter(line => line.startsWith('| HCP'));
    expect(rows).toEqual([
      '| HCP001 | error | a document cannot be read |',
      '| HCP002 | error | there is no control plane, so nothing was compared |',
      ...RULES.map(({ code, severity, title }) => `| ${code} | ${severity} | ${title} |`),
    ]);
  });

  test('has every hop, and when it is ok', () => {
    const rows = PAGE.split('\n').flatMap(line => /^\| `([a-z-]+)` \| ([^|]+) \| [^|]+\|$/.exec(line)?.slice(1, 3).join(': ') ?? []);
    expect(rows).toEqual(Object.entries(HOP_TITLES).map(([hop, title]) => `${hop}: ${title}`));
  });

  test('has everything that is compared of a tenant that moves', () => {
    expect(COMPARISONS.filter(({ name, title }) => !PAGE.includes(`| ${title} | \`${name}\` |`))).toEqual([]);
  });

  test('has every flag', () => {
    const commands = [liveCommand(), manifestsCommand(), prerequisitesCommand(), moveCommand()];
    const flags = commands.flatMap(({ options }) => options.map(({ long }) => long!));
    expect(flags.filter(flag => !PAGE.includes(`\`${flag}\``))).toEqual([]);
  });
});
