import { readFileSync } from 'fs';
import { join } from 'path';
import { dumped } from './support/adoptions';
import { RUNNING } from './support/running';
import { recordedDefaults } from '../../scripts/adopt-defaults';
import { withDefaults } from '../src/defaults/defaults';

test('the defaults are those of the definitions', () => {
  expect(readFileSync(join(__dirname, '..', 'src', 'defaults', 'recorded.ts'), 'utf8')).toBe(recordedDefaults());
});

const objects = RUNNING.map(({ file, object }) => [file, object] as const);

test.each(objects)('what an API server has filled into %s is what is filled in here', (file, { apiVersion, kind, spec }) => {
  // What a HostedCluster has of its operator is not written into it.
  const operators = kind === 'HostedCluster' ? { networking: { ...dumped(file).spec.networking, apiServer: { port: 6443 } } } : {};
  expect(withDefaults(`${apiVersion} ${kind}`, spec)).toEqual({ ...dumped(file).spec, ...operators });
});
