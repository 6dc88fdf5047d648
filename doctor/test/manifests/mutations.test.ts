import { MUTATIONS } from './mutations';
import { SYNTHESIZED } from './synthesized';
import { Finding } from '../../src/manifests/check';
import { check } from '../support/manifests';

jest.setTimeout(60_000);

beforeAll(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterAll(() => jest.restoreAllMocks());

const synthesized = new Map<string, string>();

/** The objects of a platform, which the caller may change. */
function objectsOf(platform: string): any[] {
  if (!synthesized.has(platform)) synthesized.set(platform, JSON.stringify(SYNTHESIZED[platform]()));
  return JSON.parse(synthesized.get(platform)!);
}

function findings(objects: any[]): Finding[] {
  return check(objects.map(object => JSON.stringify(object)).join('\n---\n'));
}

describe('the doctor, where one thing is changed in manifests of this library', () => {
  test.each(Object.keys(SYNTHESIZED))('has nothing to say of %s as it is', platform => {
    expect(findings(objectsOf(platform)).map(({ code, object, message }) => `${code} ${object?.name}: ${message}`)).toEqual([]);
  });

  test.each(MUTATIONS)('$platform: $what ($code)', ({ platform, change, code }) => {
    const objects = objectsOf(platform);
    const before = JSON.stringify(objects);
    change(objects);
    expect(JSON.stringify(objects)).not.toBe(before);
    expect(findings(objects).filter(({ severity }) => severity === 'error').map(finding => finding.code)).toContain(code);
  });

  test('knows as many changes as it did', () => {
    expect(MUTATIONS).toHaveLength(173);
    expect(new Set(MUTATIONS.map(({ platform, what }) => `${platform}: ${what}`)).size).toBe(MUTATIONS.length);
  });
});
