import { once } from 'events';
import { writeFileSync } from 'fs';
import { createServer } from 'net';
import { CertificateAuthority, CertificatePair } from '../../../../test/support/certificates';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { eventually } from '../support/eventually';
import { Installation, InstallationOptions } from '../support/installation';
import { Upstream } from '../support/upstream';

jest.setTimeout(60_000);

const UPSTREAM = { commonName: 'kube-apiserver', sans: ['tenant-01.k8s.example.com'], keyType: 'ecdsa' as const };

let installation: Installation;

async function install(options?: InstallationOptions): Promise<Installation> {
  installation = await Installation.create(options);
  return installation;
}

afterEach(() => installation.remove());

describeWithHaproxy('serve', () => {
  test('becomes ready and serves clients through the verified upstream, with its server name', async () => {
    const { client, upstream } = await install();
    const parts = await installation.serve().readyz(200);

    expect(Object.entries(parts).map(([name, { ok }]) => [name, ok])).toEqual([['haproxy', true], ['upstream', true], ['certificate', true]]);
    expect((await client.get()).body).toBe('answer of the upstream');
    expect([...upstream.serverNames]).toEqual(['tenant-01.k8s.example.com']);
  });

  test('needs no certificate where TLS stays closed', async () => {
    const { client } = await install({ mode: 'tcp' });
    const parts = await installation.serve().readyz(200);

    expect(parts.certificate).toEqual({ ok: true, detail: 'none: TLS is not opened' });
    expect((await client.get()).certificate.subject.CN).toBe('kube-apiserver');
  });

  test('answers /healthz, and on /metrics with the metrics of the agent and of HAProxy, no name twice', async () => {
    await install();
    const agent = installation.serve();
    await agent.readyz(200);

    expect(await agent.http('/healthz')).toEqual({ status: 200, body: 'ok\n' });
    const { body } = await agent.http('/metrics');
    expect(body).toContain('tcp_proxy_haproxy_up 1');
    expect(body).toContain('haproxy_backend_active_servers{proxy="probe"} 1');
    const names = [...body.matchAll(/^# TYPE (\S+)/gm)].map(match => match[1]);
    expect(names).toEqual([...new Set(names)]);
  });

  test('probes cause no connection to the upstream', async () => {
    const { upstream } = await install();
    const agent = installation.serve();
    await agent.readyz(200);

    const before = upstream.connections;
    for (let probe = 0; probe < 100; probe++) await agent.http('/readyz');
    // The health checks of HAProxy itself go on.
    expect(upstream.connections - before).toBeLessThan(20);
  });

  test('a configuration that HAProxy refuses ends it with code 2 and the words of HAProxy', async () => {
    const { config } = await install();
    writeFileSync(config, 'defaults\n  mode tpc\n');
    const agent = installation.serve();

    expect(await agent.exited).toEqual({ code: 2, signal: null });
    expect(agent.stderr).toMatch(/^tcp-proxy: --haproxy-config ".*haproxy.cfg": HAProxy refuses it.*unknown proxy mode 'tpc'.*\n$/);
  });

  test('passes the log of HAProxy on, line by line with its severity', async () => {
    await install();
    const agent = installation.serve();

    expect(await agent.logged('Loading success')).toMatchObject({ level: 'info', component: 'haproxy', msg: 'Loading success.' });
  });

  test.each(['master', 'worker'] as const)('starts HAProxy again after SIGKILL of its %s', async type => {
    const { client } = await install();
    const agent = installation.serve();
    await agent.readyz(200);

    const before = await installation.haproxy('master');
    process.kill(await installation.haproxy(type), 'SIGKILL');

    await eventually(async () => expect(await installation.haproxy('master')).not.toBe(before));
    await agent.readyz(200);
    expect((await client.get()).body).toBe('answer of the upstream');
    expect((await agent.http('/metrics')).body).toContain('tcp_proxy_haproxy_restarts_total 1');
  });

  test('a new agent takes over from the HAProxy of an agent that was killed, and open streams go on', async () => {
    const { client, upstream } = await install();
    const killed = installation.serve();
    await killed.readyz(200);
    const stream = await client.stream();
    const orphan = await installation.haproxy('master');
    await killed.stop();

    const agent = installation.serve();
    await agent.readyz(200);
    await agent.logged('taking over');
    expect(await installation.haproxy('master')).not.toBe(orphan);
    expect((await client.get()).body).toBe('answer of the upstream');

    upstream.streams[0].end('last event\n');
    await stream.waitFor('last event');
    await eventually(() => expect(() => process.kill(orphan, 0)).toThrow('ESRCH'));
  });

  test('is not ready while the upstream is down, and ready again when it is back', async () => {
    const { upstream } = await install();
    const { port } = upstream;
    await upstream.stop();
    const agent = installation.serve();
    const parts = await agent.readyz(503, 'refused');
    expect(parts.upstream).toEqual({ ok: false, detail: 'the verified health check does not pass: the connection is refused, or there is no way' });

    await installation.restartUpstream(port);
    await agent.readyz(200);
    await installation.upstream.stop();
    await agent.readyz(503);
    await installation.restartUpstream(port);
    await agent.readyz(200);
    expect((await agent.http('/healthz')).status).toBe(200);
  });

  test.each<[string, (ca: CertificateAuthority) => Promise<CertificatePair>, string]>([
    ['of an unknown CA', async () => (await CertificateAuthority.create('another', 'ecdsa')).issue(UPSTREAM), 'certificate is of an unknown CA'],
    ['of a CA with the same name', async () => (await CertificateAuthority.create('kubernetes', 'ecdsa')).issue(UPSTREAM), 'certificate is of an unknown CA'],
    ['that has expired', ca => ca.issue({ ...UPSTREAM, notAfter: new Date(Date.now() - 60_000) }), 'certificate, or its CA, has expired'],
    ['for another name', ca => ca.issue({ ...UPSTREAM, sans: ['tenant-02.k8s.example.com'] }), 'certificate has another name'],
  ])('/readyz and the log say that the upstream has a certificate %s', async (_, issue, cause) => {
    const { upstream, ca } = await install();
    const { port } = upstream;
    await upstream.stop();
    installation.upstream = await Upstream.start(await issue(ca), port);
    const agent = installation.serve();
    const { upstream: part } = await agent.readyz(503, cause);
    const said = `the TLS handshake fails: the upstream's ${cause}`;
    expect(part.detail).toBe(`the verified health check does not pass: ${said}`);
    expect(await agent.logged(said)).toMatchObject({ level: 'warn', cause: said, msg: 'the upstream is not verified' });

    await installation.upstream.stop();
    await installation.restartUpstream(port);
    await agent.logged('the upstream is verified again');
    expect(agent.log.filter(line => line.cause === said)).toHaveLength(1);
  });

  test('tries again while another process has the port, and says why', async () => {
    const { port } = await install();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const agent = installation.serve();
    await agent.logged('cannot bind socket (Address already in use)');
    await agent.readyz(503, 'exited with code 1');

    other.close();
    await agent.readyz(200);
  });

  test('refuses connections above the limit', async () => {
    const { client } = await install({ maxConnections: 2 });
    await installation.serve().readyz(200);
    const streams = [await client.stream(), await client.stream()];

    await expect(client.get()).rejects.toThrow(/ECONNRESET|socket hang up|disconnected/);
    streams[0].close();
    await eventually(() => client.get());
    streams[1].close();
  });

  test('tells of refused connections once in the log, and of each in the metrics', async () => {
    const { client } = await install({ maxConnections: 2 });
    const agent = installation.serve();
    await agent.readyz(200);
    const streams = [await client.stream(), await client.stream()];
    for (let attempt = 0; attempt < 5; attempt++) await expect(client.get()).rejects.toThrow();

    expect((await agent.http('/metrics')).body).toContain('tcp_proxy_refused_connections_total{limit="total"} 5');
    expect(await agent.logged('connections refused')).toMatchObject({ level: 'warn', total: 5 });
    for (const stream of streams) stream.close();
  });
});

describeWithHaproxy('serve after SIGTERM', () => {
  test('is unready first, serves during the propagation delay, then stops listening, and ends with code 0 after the last stream', async () => {
    const { client, upstream } = await install();
    const agent = installation.serve('--propagation-delay', '2s');
    await agent.readyz(200);
    const stream = await client.stream();

    agent.kill('SIGTERM');
    const parts = await agent.readyz(503);
    expect(parts.shutdown).toEqual({ ok: false, detail: 'draining' });
    expect((await client.get()).body).toBe('answer of the upstream');

    await agent.logged('no longer listening');
    await eventually(() => expect(client.get()).rejects.toThrow('ECONNREFUSED'));
    expect((await agent.http('/healthz')).status).toBe(200);
    upstream.streams[0].write('late event\n');
    await stream.waitFor('late event');

    upstream.streams[0].end();
    expect(await stream.ended).toBe('ended');
    expect(await agent.exited).toEqual({ code: 0, signal: null });
  });

  test('cuts the streams that are open after the grace period', async () => {
    const { client } = await install();
    const agent = installation.serve('--grace-period', '500ms');
    await agent.readyz(200);
    const stream = await client.stream();

    agent.kill('SIGTERM');
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    expect(await stream.ended).toBe('cut');
    await agent.logged('grace period is over');
  });

  test('cuts streams that a change of the CA left on an old worker too, and no sooner than that', async () => {
    const { ca, client, upstream } = await install();
    const agent = installation.serve('--grace-period', '500ms');
    await agent.readyz(200);
    const stream = await client.stream();
    const worker = await installation.haproxy('worker');
    const other = await CertificateAuthority.create('kubernetes', 'ecdsa');
    installation.mountCa(ca.certificate + other.certificate);
    await agent.logged('certificates updated');
    await eventually(async () => expect(await installation.haproxy('worker')).not.toBe(worker));

    // A second, new stream shows that the new worker serves while the old one keeps its own, past the grace period of a shutdown.
    const later = Date.now() + 1_500;
    await eventually(async () => {
      await client.get();
      expect(Date.now()).toBeGreaterThan(later);
    });
    upstream.streams[0].write('still here\n');
    await stream.waitFor('still here');

    agent.kill('SIGTERM');
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    expect(await stream.ended).toBe('cut');
    expect(() => process.kill(worker, 0)).toThrow('ESRCH');
  });
});
