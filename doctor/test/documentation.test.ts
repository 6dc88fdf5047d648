import { readFileSync } from 'fs';
import { join } from 'path';
import { RULES } from '../../src/findings/rules';
import { doctorCommand } from '../src/command';
import { HOPS } from '../src/live/hop';

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

  test('has every hop', () => {
    expect(HOPS.filter(hop => !PAGE.includes(`\`${hop}\``) && !PAGE.includes(`\`${hop.replace('konnectivity', '')}\``))).toEqual([]);
  });

  test('has every flag', () => {
    const flags = doctorCommand().options.map(({ long }) => long!);
    expect(flags.filter(flag => !PAGE.includes(`\`${flag}\``))).toEqual([]);
  });
});
