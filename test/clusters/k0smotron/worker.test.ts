import { execFileSync, spawnSync } from 'child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ApiObject, Chart } from 'cdk8s';
import { load } from 'js-yaml';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, K0smotronApiVersion, K0smotronJoinToken, K0smotronWorkerBootstrap,
  K0smotronWorkerBootstrapProps, TcpProxyAddon,
} from '../../../src';
import { K0smotronTenant } from '../../platforms/k0smotron/k0smotron-harness';

function bootstrap(props: Partial<K0smotronWorkerBootstrapProps> = {}) {
  const tenant = new K0smotronTenant(ControlPlanePlatform.k0smotron());
  const worker = new K0smotronWorkerBootstrap({ controlPlane: tenant.controlPlane, k0sVersion: '1.34.3', joinTokenSecretName: 'join', ...props });
  return { tenant, worker };
}

let folder: string;
beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
  folder = mkdtempSync(join(tmpdir(), 'worker-'));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Runs the script with a kubectl that runs another one. */
function render(worker: K0smotronWorkerBootstrap, kubectl: string) {
  writeFileSync(join(folder, 'kubectl'), `#!/bin/sh\n${kubectl}\n`, { mode: 0o755 });
  return spawnSync('sh', ['-c', worker.renderScript], {
    input: worker.cloudInit, encoding: 'utf8', env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
  });
}

describe('the bootstrap of a standalone worker', () => {
  test('takes the certificates and the token from k0smotron\'s Secrets, keys readable for root alone', () => {
    expect(bootstrap().worker.files.map(({ path, mode, secretName, key }) => [path, mode, secretName, key])).toEqual([
      ['/etc/haproxy/certs/ca.crt', '0644', 'tenant-01-ca', 'tls.crt'],
      ['/etc/haproxy/certs/server.crt', '0644', 'tenant-01-ingress-haproxy', 'tls.crt'],
      ['/etc/haproxy/certs/server.key', '0600', 'tenant-01-ingress-haproxy', 'tls.key'],
      ['/etc/k0s.token', '0600', 'join', 'token'],
    ]);
  });

  test('installs k0s in the form of the version that workers need', () => {
    expect(bootstrap({ args: ['--labels=pool=a b', '--debug'] }).worker.commands.slice(-3)).toEqual([
      'curl -sSLf https://get.k0s.sh | K0S_VERSION=v1.34.3+k0s.0 sh',
      'k0s install worker --token-file /etc/k0s.token \'--labels=pool=a b\' --debug',
      'k0s start',
    ]);
  });

  test('makes a bundle that the proxy\'s user can read and nobody else', () => {
    const { worker } = bootstrap();
    expect(worker.commands.slice(4, 6).every(command => /-g 99 /.test(command))).toBe(true);

    const own = (command: string) => command.replaceAll('/etc/haproxy/certs', `${folder}/certs`)
      .replaceAll('-o root', `-o ${process.getuid!()}`).replaceAll('-o 99', `-o ${process.getuid!()}`).replaceAll('-g 99', `-g ${process.getgid!()}`);
    const [folderCommand, ...commands] = worker.commands.slice(4, 7).map(own);
    execFileSync('sh', ['-ec', folderCommand]);
    writeFileSync(join(folder, 'certs/server.crt'), 'certificate\n');
    writeFileSync(join(folder, 'certs/server.key'), 'key\n');
    // Root writes into a file without a write bit; another user needs one for the test.
    const [create, fill] = commands;
    execFileSync('sh', ['-ec', create]);
    const pem = join(folder, 'certs/server.pem');
    expect(statSync(pem).mode & 0o777).toBe(0o400); // eslint-disable-line no-bitwise
    if (process.getuid!() !== 0) {
      chmodSync(pem, 0o600);
    }
    execFileSync('sh', ['-ec', fill]);
    expect(readFileSync(pem, 'utf8')).toBe('certificate\nkey\n');
    expect(statSync(join(folder, 'certs')).mode & 0o777).toBe(0o750); // eslint-disable-line no-bitwise
  });

  test('is user data without secrets, which the script fills in from the management cluster', () => {
    const { worker } = bootstrap();
    expect(worker.cloudInit.split('\n')[0]).toBe('#cloud-config');
    expect(load(worker.cloudInit)).toMatchObject({
      write_files: expect.arrayContaining([{
        path: '/etc/haproxy/certs/server.key', owner: 'root:root', permissions: '0600', encoding: 'b64', content: '${SERVER_KEY}',
      }]),
      runcmd: worker.commands,
    });

    // A kubectl that answers with what it was asked for, in base64 as Secrets have it.
    const rendered = render(worker, 'printf %s "$*" | base64 | tr -d "\\n"').stdout;
    const files = (load(rendered) as any).write_files.map((file: any) => [file.path, Buffer.from(file.content, 'base64').toString()]);
    expect(files).toEqual([
      ['/etc/haproxy/certs/ca.crt', '--namespace tenants get secret tenant-01-ca --output jsonpath={.data.tls\\.crt}'],
      ['/etc/haproxy/certs/server.crt', '--namespace tenants get secret tenant-01-ingress-haproxy --output jsonpath={.data.tls\\.crt}'],
      ['/etc/haproxy/certs/server.key', '--namespace tenants get secret tenant-01-ingress-haproxy --output jsonpath={.data.tls\\.key}'],
      ['/etc/k0s.token', '--namespace tenants get secret join --output jsonpath={.data.token}'],
    ]);
    expect(rendered).not.toContain('${');
  });

  test('has no certificates when a TcpProxyAddon replaces k0smotron\'s proxy', () => {
    const { tenant, worker } = bootstrap();
    new TcpProxyAddon(new Chart(tenant.app, 'tenant-01'), 'tcp-proxy', { controlPlane: tenant.controlPlane });
    expect(worker.files.map(file => file.path)).toEqual(['/etc/k0s.token']);
    expect(worker.commands).toHaveLength(4);
    expect(worker.cloudInit).not.toContain('haproxy');
  });

  test.each([
    ['join', 'token', 'JOIN_TOKEN'], ['tenant-01-ca', 'tls\\.crt', 'CA_CRT'], ['tenant-01-ingress-haproxy', 'tls\\.key', 'SERVER_KEY'],
  ])('is not rendered when the Secret %s lacks the key %s, and says so', (secret, key) => {
    const { status, stdout, stderr } = render(bootstrap().worker, `case "$*" in *" ${secret} "*".data.${key}}") ;; *) printf YQ== ;; esac`);
    expect(stderr).toBe(`The Secret tenants/${secret} has nothing under the key ${key.replace('\\', '')}\n`);
    expect([status, stdout]).toEqual([1, '']);
  });

  test('is not rendered when the Secret is missing', () => {
    const { status, stdout } = render(bootstrap().worker, 'case "$*" in *" join "*) exit 1 ;; *) printf YQ== ;; esac');
    expect([status, stdout]).toEqual([1, '']);
  });

  test('stops at boot, before k0s is downloaded, with the Secret that a file is empty for', () => {
    const { worker } = bootstrap();
    // As cloud-init does it: one script without `set -e`.
    const boot = () => spawnSync('sh', ['-c', worker.commands.slice(0, 4).concat('echo installed').join('\n').replaceAll('-s /etc/', `-s ${folder}/etc-`)
      .replaceAll('etc-haproxy/certs/', 'etc-')], { encoding: 'utf8' });
    ['ca.crt', 'server.crt', 'server.key', 'k0s.token'].forEach(name => writeFileSync(join(folder, `etc-${name}`), 'content'));
    expect(boot()).toMatchObject({ status: 0, stdout: 'installed\n', stderr: '' });
    writeFileSync(join(folder, 'etc-k0s.token'), '');
    expect(boot()).toMatchObject({
      status: 1, stdout: '', stderr: '/etc/k0s.token is empty: the Secret tenants/join had nothing under the key token\n',
    });
  });

  test('refuses the token of another control plane', () => {
    const { tenant, worker } = bootstrap();
    const two = new IngressExposedControlPlane(tenant.chart, 'tenant-02', {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.k0smotron(),
      controller: IngressController.haproxy(),
    });
    const other = new K0smotronWorkerBootstrap({ controlPlane: two, k0sVersion: '1.34.3', joinTokenSecretName: 'join' });
    expect(worker.cloudInit).toBe(worker.cloudInit);
    expect(() => other.cloudInit).toThrow('joinTokenSecretName: "join" holds the token of the control plane "tenant-01", with which no worker of "tenant-02" ' +
      'can join. Make a K0smotronJoinToken for each control plane and give its secretName.');

    const { secretName } = new K0smotronJoinToken(tenant.chart, 'token', { controlPlane: tenant.controlPlane });
    const requested = new K0smotronWorkerBootstrap({ controlPlane: two, k0sVersion: '1.34.3', joinTokenSecretName: secretName });
    expect(() => requested.renderScript).toThrow('"tenant-01-worker-token" holds the token of the control plane "tenant-01"');
  });

  test.each<[string, boolean, (chart: Chart) => unknown]>([
    ['nothing', true, () => undefined],
    ['a Secret of another namespace', true, chart => new ApiObject(chart, 'a', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'join', namespace: 'b' } })],
    ['a Secret', false, chart => new ApiObject(chart, 'a', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'join', namespace: 'tenants' } })],
    ['an ExternalSecret', false, chart => new ApiObject(chart, 'a', {
      apiVersion: 'external-secrets.io/v1', kind: 'ExternalSecret', metadata: { name: 'join', namespace: 'tenants' },
    })],
  ])('with a token that %s in the app makes: warned of: %s', (_, warned, make) => {
    const { tenant, worker } = bootstrap();
    make(tenant.chart);
    expect(worker.cloudInit).toContain('${JOIN_TOKEN}');
    expect(tenant.warnings()).toEqual(warned ? ['joinTokenSecretName: nothing in the app makes the Secret "join" in tenants. ' +
      'Make a K0smotronJoinToken and give its secretName, unless something else makes the Secret.'] : []);
  });

  test.each(Object.values(K0smotronApiVersion))('has no warning with a K0smotronJoinToken, in %s', apiVersion => {
    const tenant = new K0smotronTenant(ControlPlanePlatform.k0smotron({ apiVersion }));
    const { controlPlane } = tenant;
    const worker = new K0smotronWorkerBootstrap({ controlPlane, k0sVersion: '1.34.3', joinTokenSecretName: 'tenant-01-worker-token' });
    new K0smotronJoinToken(tenant.chart, 'token', { controlPlane });
    expect(worker.files).toHaveLength(4);
    expect(tenant.warnings()).toEqual([]);
  });

  test('refuses a k0s that is newer than the control plane\'s', () => {
    expect(() => bootstrap({ k0sVersion: 'v1.34.3+k0s.1' })).toThrow(
      new Error('k0sVersion: "v1.34.3+k0s.1" is newer than the control plane\'s, v1.34.3+k0s.0. Upgrade the control plane first.'));
    expect(bootstrap({ k0sVersion: '1.33.6' }).worker.commands).toContainEqual(expect.stringContaining('K0S_VERSION=v1.33.6+k0s.0'));
  });

  test('refuses a control plane of another platform', () => {
    const { controlPlane } = new K0smotronTenant(ControlPlanePlatform.kamaji());
    expect(() => bootstrap({ controlPlane })).toThrow('controlPlane: "management/tenant-01 of kamaji" is not a k0smotron Cluster');
  });

  test('refuses what is no version of k0s', () => {
    expect(() => bootstrap({ k0sVersion: 'latest' })).toThrow('k0sVersion: "latest" is not a version of k0s');
  });
});
