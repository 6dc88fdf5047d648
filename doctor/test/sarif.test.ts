import { readFileSync } from 'fs';
import { join } from 'path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { KAMAJI, PROXY } from './manifests/good';
import { doctor, Run } from './support/doctor';
import { broken, withFolder } from './support/manifests';
import { RULES } from '../../src/findings/rules';
import { HOPS } from '../src/live/hop';

jest.setTimeout(60_000);

/** OASIS' schema of SARIF 2.1.0, of the package that tests SARIF. */
const SCHEMA = join(__dirname, '..', '..', 'node_modules', '@microsoft', 'jest-sarif', 'lib', 'schemas', 'sarif-2.1.0-rtm.5.json');

function validator() {
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true, unicodeRegExp: false }));
  // It is of draft 4, and uses nothing that later drafts read in another way.
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8'));
  return ajv.compile(schema);
}

/** The run of a log that has to be valid. */
function runOf({ stdout }: Run) {
  const log = JSON.parse(stdout);
  const valid = validator();
  valid(log);
  expect(valid.errors ?? []).toEqual([]);
  expect(log.version).toBe('2.1.0');
  expect(log.runs).toHaveLength(1);
  return log.runs[0];
}

test('the schema refuses what is no SARIF', () => {
  expect(validator()({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x', rules: [{ id: 1 }] } }, results: [{ message: 'text' }] }] })).toBe(false);
});

describe('SARIF of doctor manifests', () => {
  test('has every rule, and each finding with its rule, level, file, line and object', async () => {
    const text = broken(`${KAMAJI}---${PROXY}`, { 'number: 8132': 'number: 6443' });
    const result = await withFolder({ 'with space/ä.yaml': text }, folder => doctor(['manifests', folder, '--output', 'sarif']));
    const run = runOf(result);
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['HCP001', 'HCP002', ...RULES.map(({ code }) => code)]);
    const rule = run.tool.driver.rules[run.results[0].ruleIndex];
    expect(rule).toMatchObject({
      id: 'HCP204',
      shortDescription: { text: 'a route leads to a port that is not that of the server' },
      fullDescription: { text: expect.stringContaining('HCP204') },
      help: { text: expect.stringContaining('HCP204') },
      helpUri: expect.stringMatching(/^https:\/\/.*\/docs\/doctor\.md#manifests$/),
      defaultConfiguration: { level: 'error' },
    });
    expect(run.results).toEqual([{
      ruleId: 'HCP204',
      ruleIndex: expect.any(Number),
      level: 'error',
      message: { text: expect.stringMatching(/^Ingress tenants\/acme-konnectivity: spec\.rules.* leads to port 6443.*\. Remedy: Write 8132$/) },
      locations: [{
        physicalLocation: { artifactLocation: { uri: expect.stringMatching(/^file:\/\/\/.*\/with%20space\/%C3%A4\.yaml$/) }, region: { startLine: 44 } },
        logicalLocations: [{ fullyQualifiedName: 'Ingress tenants/acme-konnectivity', kind: 'resource' }],
      }],
    }]);
    expect(result.code).toBe(1);
  });

  test('names files in the working directory as a repository does', async () => {
    const result = await withFolder({ 'dist/a b.yaml': KAMAJI }, folder => doctor(['manifests', 'dist', '-o', 'sarif'], {}, { cwd: folder }));
    const [{ level, locations }] = runOf(result).results;
    expect({ level, uri: locations[0].physicalLocation.artifactLocation.uri }).toEqual({ level: 'warning', uri: 'dist/a%20b.yaml' });
    expect(result.code).toBe(0);
  });

  test.each([
    ['what cannot be read', 'a: [', ['HCP001', 'HCP002']],
    ['texts that are long or steer a terminal', `${KAMAJI.replace('name: acme', `name: "acme\\u001b[2J${'x'.repeat(3_000)}"`)}`, undefined],
    ['nothing', `${KAMAJI}---${PROXY}`, []],
  ])('is valid with %s', async (_, text, codes) => {
    const run = runOf(await withFolder({ 'a.yaml': text }, folder => doctor(['manifests', folder, '-o', 'sarif'])));
    const found = run.results.map(({ ruleId }: { ruleId: string }) => ruleId);
    expect(found).toEqual(codes ?? expect.arrayContaining([expect.stringMatching(/^HCP/)]));
    // eslint-disable-next-line no-control-regex
    expect(JSON.stringify(run)).not.toMatch(/\u001b|\\u001b/);
  });
});

describe('SARIF of doctor live', () => {
  test('has every hop as a rule, and each that is not well at the line of the control plane', async () => {
    const result = await withFolder({ 'dist/a.yaml': `---\n${KAMAJI}` }, folder =>
      doctor(['live', '--manifests', 'dist', '--all', '--resolver', '127.0.0.1:9', '--timeout', '100ms', '-o', 'sarif'], {}, { cwd: folder }));
    const run = runOf(result);
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(HOPS.map(hop => `live/${hop}`));
    expect(run.results).toHaveLength(2);
    expect(run.results[0]).toMatchObject({
      ruleId: 'live/dns',
      ruleIndex: 0,
      level: 'error',
      message: { text: expect.stringMatching(/^acme\.k8s\.example\.com:443: dns failed: DNS fails .*\. Remedy: check the DNS server/) },
      locations: [{
        physicalLocation: { artifactLocation: { uri: 'dist/a.yaml' }, region: { startLine: expect.any(Number) } },
        logicalLocations: [{ fullyQualifiedName: 'TenantControlPlane tenants/acme' }],
      }],
    });
    expect(result.code).toBe(1);
  });

  test('has no file where none told', async () => {
    const run = runOf(await doctor(['live', 'acme.example.com', '--resolver', '127.0.0.1:9', '--timeout', '100ms', '-o', 'sarif']));
    expect(run.results[0].locations).toEqual([{ logicalLocations: [{ fullyQualifiedName: 'acme.example.com:443', kind: 'resource' }] }]);
  });
});
