import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { TenantDelivery } from '../../../../src';
import { Management } from '../../../../test/delivery/harness';
import { readRegistrations } from '../../src/register/registrations-file';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'registrations-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(text: string): ReturnType<typeof readRegistrations> {
  const file = join(folder, 'registrations.json');
  writeFileSync(file, text);
  return readRegistrations(file);
}

/** What the library writes for a tenant. */
function written(delivery: TenantDelivery): any {
  const management = new Management(delivery);
  management.tenant();
  return JSON.parse(management.manifests().find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'tenant-registration').data['registrations.json']);
}

const ARGO_CD = written(TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/tenants.git', registration: {} }));
const FLUX = written(TenantDelivery.flux({ source: { name: 'platform' }, namespace: 'flux-system', registration: {} }));

test.each([['argoCd()', ARGO_CD], ['flux()', FLUX]])('what the library writes for %s is what is read', async (_, list) => {
  expect(list.registrations).toHaveLength(1);
  expect(await read(JSON.stringify(list))).toEqual(list.registrations);
});

const [REGISTRATION] = ARGO_CD.registrations;

test.each([
  ['what is no JSON', '{', /JSON/],
  ['another version', { ...ARGO_CD, version: 2 }, /version: /],
  ['a name that leads to another path', { ...ARGO_CD, registrations: [{ ...REGISTRATION, secret: { namespace: 'argocd', name: '../../argocd-secret' } }] },
    /registrations\.0\.secret\.name: is not the name of an object/],
  ['a namespace that does', { ...ARGO_CD, registrations: [{ ...REGISTRATION, tenant: { namespace: 'a/b', name: 'a' } }] }, /tenant\.namespace: is not the name of a namespace/],
  ['a resource that does', { ...ARGO_CD, registrations: [{ ...REGISTRATION, owner: { ...REGISTRATION.owner, resource: 'a/b' } }] }, /owner\.resource: is not a resource/],
  ['a delivery that it does not know', { ...ARGO_CD, registrations: [{ ...REGISTRATION, as: { kind: 'other' } }] }, /as/],
])('refuses %s, and names the file', async (_, list, message) => {
  const reading = read(typeof list === 'string' ? list : JSON.stringify(list));
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toThrow(/registrations\.json: .*; apply the manifests that the library wrote$/);
});

test('refuses a file that is not there, or longer than a ConfigMap can be', async () => {
  await expect(readRegistrations(join(folder, 'none.json'))).rejects.toThrow(/ENOENT/);
  await expect(read(' '.repeat(3 * 2 ** 20))).rejects.toThrow(/is larger than 2097152 bytes/);
});
