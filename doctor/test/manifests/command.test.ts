import { join } from 'path';
import { KAMAJI, PROXY } from './good';
import { doctor } from '../support/doctor';
import { broken, withFolder } from '../support/manifests';

/** What is said of the control plane and its tcp-proxy. */
const PATH = 'Pods of tenants/acme: a tcp-proxy in the tenant; TLS is opened; towards pods the API server, and whoever has the serving key of the tcp-proxy in the tenant can be the API server.\n';
const HINT = 'Must exist before: 1 Operator, 1 API, 1 Namespace, 1 IngressClass, 1 DataStore; doctor prerequisites lists them.\n';

describe('the command doctor manifests', () => {
  test('does not mind a reader that leaves early', async () => {
    const { code, stderr } = await withFolder({ 'a.yaml': KAMAJI }, folder => doctor(['manifests', folder], {}, { deaf: true }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('ends with 0 where nothing is found', async () => {
    const { code, stdout } = await withFolder({ 'a.yaml': `${KAMAJI}---${PROXY}` }, folder => doctor(['manifests', folder]));
    expect(stdout).toBe(`No disagreement: 5 objects in 1 file, 1 control plane.\n${PATH}${HINT}`);
    expect(code).toBe(0);
  });

  test('shows file, object, disagreement and remedy, and ends with 1', async () => {
    const text = broken(`${KAMAJI}---${PROXY}`, { 'number: 8132': 'number: 6443' });
    const { code, stdout } = await withFolder({ 'a.yaml': text }, folder => doctor(['manifests', join(folder, 'a.yaml')]));
    expect(stdout).toMatch(new RegExp('^HCP204 .*a\\.yaml:44 Ingress tenants/acme-konnectivity\n'
      + ' {2}spec\\.rules\\[0\\]\\.http\\.paths\\[0\\]\\.backend\\.service\\.port: acme\\.konnectivity\\.example\\.com leads to port 6443, .*\n'
      + ' {2}remedy: Write 8132\n'
      + `1 error, 0 warnings: 5 objects in 1 file, 1 control plane\\.\n${PATH}${HINT}$`));
    expect(code).toBe(1);
  });

  test('ends with 0 where there are warnings alone', async () => {
    const { code, stdout } = await withFolder({ 'a.yaml': KAMAJI }, folder => doctor(['manifests', folder]));
    expect(stdout).toMatch(/0 errors, 1 warning/);
    expect(stdout).toMatch('\nPods of tenants/acme: these manifests do not say how they reach the API server.\n');
    expect(code).toBe(0);
  });

  test('gives JSON', async () => {
    const { code, stdout } = await withFolder({ 'a.yaml': KAMAJI }, folder => doctor(['manifests', folder, '--output', 'json']));
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      command: 'manifests',
      healthy: true,
      files: 1,
      objects: 3,
      controlPlanes: 1,
      findings: [{
        code: 'HCP602',
        severity: 'warning',
        file: expect.stringMatching(/a\.yaml$/),
        line: 2,
        object: { kind: 'TenantControlPlane', namespace: 'tenants', name: 'acme' },
        field: 'spec.controlPlane.deployment.extraArgs.apiServer',
        message: expect.stringMatching(/^has --endpoint-reconciler-type=none/),
        remedy: 'Check the manifests of the tenant together with these, or take the flag away',
      }],
      podPaths: [{ namespace: 'tenants', name: 'acme' }],
      prerequisites: { management: expect.any(Array), tenants: [] },
    });
    expect(code).toBe(0);
  });
});
