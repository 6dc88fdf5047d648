import { writeFileSync } from 'fs';
import { join } from 'path';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { Agent } from '../support/agent';
import { eventually } from '../support/eventually';
import { FakeApiServer } from '../support/fake-api/fake-api-server';
import { Installation } from '../support/installation';

jest.setTimeout(60_000);

const OWN = '192.0.2.1';
const OTHER = '192.0.2.2';

let installation: Installation;
let api: FakeApiServer;

beforeEach(async () => {
  installation = await Installation.create();
  const { certificate: cert, key } = await installation.ca.issue({ commonName: 'localhost', sans: ['localhost'] });
  api = new FakeApiServer('kube-system', { ca: installation.ca.certificate, cert, key });
  await api.start();
  api.store.put('services', { metadata: { name: 'kubernetes' }, spec: { ipFamilies: ['IPv4'] } });
  putPod('proxy-own', OWN, false);
});

afterEach(async () => {
  await installation.remove();
  await api.stop();
});

function putPod(name: string, hostIp: string, ready: boolean): void {
  api.store.put('pods', {
    metadata: { name, labels: { 'app.kubernetes.io/name': 'tcp-proxy' } },
    status: {
      phase: 'Running',
      hostIP: hostIp,
      hostIPs: [{ ip: hostIp }],
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    },
  });
}

function serve(...flags: string[]): Agent {
  const tokenFile = join(installation.dir, 'token');
  writeFileSync(tokenFile, 'token-1');
  return installation.serve(
    '--endpoints', 'owned', '--api-server', api.url, '--token-file', tokenFile,
    '--namespace', 'kube-system', '--pod-name', 'proxy-own', '--host-ips', OWN, ...flags,
  );
}

function addresses(): string[] {
  return (api.store.get('endpointslices', 'kubernetes')?.endpoints ?? []).flatMap((endpoint: { addresses: string[] }) => endpoint.addresses);
}

describeWithHaproxy('serve that owns default/kubernetes', () => {
  test('publishes the own address only after the upstream was verified, and keeps it while the upstream is down', async () => {
    const { port } = installation.upstream;
    await installation.upstream.stop();
    const agent = serve();
    await eventually(async () => expect(await agent.readyz(503)).toMatchObject({
      haproxy: { ok: true }, certificate: { ok: true }, upstream: { ok: false }, endpoints: { ok: false, detail: 'no proxy is ready yet' },
    }));
    expect(addresses()).toEqual([]);

    await installation.restartUpstream(port);
    await agent.readyz(200);
    expect(addresses()).toEqual([OWN]);

    await installation.upstream.stop();
    await agent.readyz(503);
    expect(addresses()).toEqual([OWN]);
  });

  test('withdraws its address at SIGTERM while it still serves, and leaves that of the other proxy', async () => {
    putPod('proxy-other', OTHER, true);
    const agent = serve('--propagation-delay', '2s');
    await agent.readyz(200);
    putPod('proxy-own', OWN, true);
    await eventually(() => expect(addresses()).toEqual([OWN, OTHER]));

    agent.kill('SIGTERM');
    await eventually(() => expect(addresses()).toEqual([OTHER]));
    expect((await installation.client.get()).body).toBe('answer of the upstream');
    expect(agent.output).not.toContain('no longer listening');
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    expect(addresses()).toEqual([OTHER]);
  });

  test('ends with code 0 after SIGTERM when the API server is away', async () => {
    const agent = serve('--grace-period', '500ms');
    await agent.readyz(200);
    await api.stop();
    agent.kill('SIGTERM');
    expect(await agent.exited).toEqual({ code: 0, signal: null });
  });

  test('goes on serving after SIGTERM as long as the API server cannot be told, and withdraws its address when it can', async () => {
    putPod('proxy-other', OTHER, true);
    const agent = serve('--propagation-delay', '1s', '--grace-period', '45s');
    await agent.readyz(200);
    putPod('proxy-own', OWN, true);
    await eventually(() => expect(addresses()).toEqual([OWN, OTHER]));
    await api.stop();

    const told = Date.now();
    agent.kill('SIGTERM');
    // Longer than a proxy waits that has nothing to withdraw; a kubelet that was restarted says it again.
    await eventually(async () => {
      expect((await installation.client.get()).body).toBe('answer of the upstream');
      expect(Date.now() - told).toBeGreaterThan(6_000);
    });
    agent.kill('SIGTERM');
    expect((await agent.readyz(503)).endpoints.detail).toMatch(/^withdrawing: /);
    expect(agent.output).not.toContain('no longer listening');
    await api.start();
    await eventually(() => expect(addresses()).toEqual([OTHER]));
    expect((await installation.client.get()).body).toBe('answer of the upstream');
    const { graceMs } = await agent.logged('no longer listening');
    // What the withdrawal took is not there for open streams, so that SIGKILL cuts nothing.
    expect(graceMs).toBeLessThan(45_000);
    expect(await agent.exited).toEqual({ code: 0, signal: null });
  });
});
