import { readFileSync } from 'fs';
import { Testing } from 'cdk8s';
import { withVersionsTable, VERSIONS_PAGE } from '../../scripts/versions-table';
import { Warnings } from '../../src';
import { ALL_VERSION_FACTS } from '../../src/versions/all';
import { checkVersion, compareVersions, VersionFacts } from '../../src/versions/version-facts';

const CHART: VersionFacts = {
  subject: 'the chart',
  read: 'chart 41.3.0',
  newest: '41',
  known: [
    { before: '27', breaks: true, reason: 'has other values', remedy: 'Use 27 or newer' },
    { from: '30.2', before: '31', breaks: false, reason: 'needs a flag', remedy: 'Set the flag' },
    { from: '50', breaks: true, reason: 'is no more', remedy: 'Use another chart' },
  ],
  override: 'newestChartVersion',
};

/** The warnings of a check; throws what it throws. */
function check(version: string, vouched?: string): string[] {
  const chart = Testing.chart();
  checkVersion(chart, 'chartVersion', version, CHART, vouched);
  return Warnings.of(chart);
}

describe('facts about versions', () => {
  test.each(['27.0.0', 'v30.1.9', '31.0.0', '41.9.9'])('say nothing of %s, which was read', version => {
    expect(check(version)).toEqual([]);
  });

  test('warn of a version that nobody read, and name the newest that was', () => {
    expect(check('42.0.0')).toEqual(['chartVersion: "42.0.0" is a version of the chart that nobody read; the newest that was read is 41 (chart 41.3.0). ' +
      'Make sure that it works, and say so with newestChartVersion.']);
  });

  test.each(['30.2.0', '30.99.1'])('warn of %s, which works under a condition', version => {
    expect(check(version)).toEqual([`chartVersion: "${version}" needs a flag; the newest that was read is 41 (chart 41.3.0). Set the flag.`]);
  });

  test.each([['26.9.9', 'has other values'], ['9.0.0', 'has other values'], ['50.0.0', 'is no more'], ['50.0.0-rc.1', 'is no more'], ['51.2.3', 'is no more']])(
    'refuse %s, which is known to break', (version, reason) => {
      expect(() => check(version)).toThrow(`chartVersion: "${version}" ${reason}; the newest that was read is 41 (chart 41.3.0).`);
    });

  test('take the word of the user for newer versions, up to the one that they name', () => {
    expect(check('42.0.0', '42')).toEqual([]);
    expect(check('50.1.0', '50.1')).toEqual([]);
    expect(() => check('50.2.0', '50.1')).toThrow('chartVersion: "50.2.0" is newer than 50.1, the newest that newestChartVersion says works.');
    expect(() => check('26.0.0', '50')).toThrow('has other values');
  });

  test.each([['1.36.0', '1.36', 0], ['1.36.9', '1.36', 0], ['1.9.0', '1.36', -1], ['2.0.0', '1.36', 1], ['1.36.0-rc.1', '1.36', 0], ['v1.37.0+k0s.1', '1.36', 1], ['41', '41.3', -1]])(
    '%s against %s: %d', (version, bound, sign) => {
      expect(Math.sign(compareVersions(version, bound))).toBe(sign);
    });

  test('are the table of the documentation: `npx tsx scripts/versions-table.ts` writes it', () => {
    const page = readFileSync(VERSIONS_PAGE, 'utf8');
    expect(page).toBe(withVersionsTable(page));
    for (const { subject, newest } of ALL_VERSION_FACTS) {
      expect(page).toContain(`| ${subject} | ${newest} |`);
    }
  });
});
