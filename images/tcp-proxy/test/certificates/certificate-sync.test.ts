import { readdirSync, readFileSync, statSync } from 'fs';
import { join } from 'path';
import { CertificateAuthority } from '../../../../test/support/certificates';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { Agent } from '../support/agent';
import { eventually } from '../support/eventually';
import { Installation, InstallationOptions } from '../support/installation';

jest.setTimeout(60_000);

let installation: Installation;

async function install(options?: InstallationOptions): Promise<Installation> {
  installation = await Installation.create(options);
  return installation;
}

async function keyBits(): Promise<number | undefined> {
  return (await installation.client.get()).certificate.bits;
}

/** Figure of a metric, such as `name{label="value"}`. */
async function metric(agent: Agent, series: string): Promise<string | undefined> {
  const { body } = await agent.http('/metrics');
  return body.split('\n').find(line => line.startsWith(`${series} `))?.slice(series.length + 1);
}

const NAMES = ['kubernetes', 'kubernetes.default.svc', '127.0.0.1'];
const APPLIED = 'tcp_proxy_certificate_updates_total{kind="serving",result="applied"}';
const REFUSED = 'tcp_proxy_certificate_updates_total{kind="serving",result="refused"}';

afterEach(() => installation.remove());

describeWithHaproxy('the serving certificate', () => {
  test('changes from RSA to ECDSA in the same worker, without harm to an open stream', async () => {
    const { client, upstream } = await install({ serving: { keyType: 'rsa' } });
    const agent = installation.serve();
    await agent.readyz(200);
    const worker = await installation.haproxy('worker');
    const stream = await client.stream();
    expect(await keyBits()).toBe(2048);

    const notAfter = new Date(Math.floor(Date.now() / 1000) * 1000 + 7_200_000);
    installation.mountServing(await installation.issueServing({ keyType: 'ecdsa', notAfter }));
    await eventually(async () => expect(await keyBits()).toBe(256));

    upstream.streams[0].end('still here\n');
    await stream.waitFor('still here');
    expect(await stream.ended).toBe('ended');
    expect(await installation.haproxy('worker')).toBe(worker);
    expect(await metric(agent, APPLIED)).toBe('1');
    expect(await metric(agent, 'tcp_proxy_certificate_not_after_timestamp_seconds')).toBe(String(notAfter.getTime() / 1000));
  });

  test.each([
    ['a key of another certificate', async () => ({ certificate: (await installation.issueServing()).certificate, key: (await installation.issueServing()).key }),
      'tls.key does not belong to the certificate in tls.crt'],
    ['garbage', async () => ({ certificate: 'garbage', key: 'garbage' }), 'tls.crt: holds no certificate in PEM form'],
    ['a certificate of another CA', async () => (await CertificateAuthority.create('another', 'ecdsa')).issue({ commonName: 'tcp-proxy', sans: NAMES, keyType: 'ecdsa' }),
      'tls.crt is issued by no valid CA of ca.crt'],
    ['a certificate of a CA of the same name', async () => (await CertificateAuthority.create('kubernetes', 'ecdsa')).issue({ commonName: 'tcp-proxy', sans: NAMES, keyType: 'ecdsa' }),
      'tls.crt is issued by no valid CA of ca.crt'],
    ['a certificate without the names', async () => installation.issueServing({ sans: ['tenant-01.k8s.example.com', 'kubernetes'] }), 'tls.crt lacks kubernetes.default.svc, 127.0.0.1'],
    ['a certificate of the future', async () => installation.issueServing({ notBefore: new Date(Date.now() + 3_600_000) }), 'tls.crt is not valid before'],
    ['an expired certificate', async () => installation.issueServing({ notAfter: new Date(Date.now() - 60_000) }), 'tls.crt expired at'],
  ])('%s is refused once, and the old pair keeps serving until a good one comes', async (_, broken, reason) => {
    const { client } = await install();
    const agent = installation.serve('--serving-name', 'kubernetes.default.svc,127.0.0.1');
    await agent.readyz(200);
    const before = (await client.get()).certificate.fingerprint;

    installation.mountServing(await broken());
    await agent.logged(reason);
    expect((await client.get()).certificate.fingerprint).toBe(before);
    const parts = await agent.readyz(200);
    expect(parts.certificate.detail).toContain(`the files were refused: ${reason}`);
    expect(await metric(agent, 'tcp_proxy_certificate_refused{kind="serving"}')).toBe('1');

    const good = await installation.issueServing();
    installation.mountServing(good);
    await eventually(async () => expect((await client.get()).certificate.fingerprint).not.toBe(before));
    expect(await metric(agent, REFUSED)).toBe('1');
    expect(await metric(agent, 'tcp_proxy_certificate_refused{kind="serving"}')).toBe('0');
    expect(await metric(agent, APPLIED)).toBe('1');
  });

  test('is what makes the proxy unready once it has expired, and only then', async () => {
    await install({ serving: { notAfter: new Date(Date.now() + 4_000) } });
    const agent = installation.serve();
    await agent.readyz(200, 'valid until');

    const parts = await agent.readyz(503, 'expired at');
    expect(parts.upstream.ok).toBe(true);
    expect(parts.haproxy.ok).toBe(true);
    installation.mountServing(await installation.issueServing());
    await agent.readyz(200);
  });

  test('is waited for when the pair is broken at the start', async () => {
    await install();
    installation.mountServing({ certificate: 'garbage', key: 'garbage' });
    const agent = installation.serve();
    await agent.logged('waiting for a usable serving certificate');
    expect((await agent.http('/healthz')).status).toBe(200);
    await agent.readyz(503);

    installation.mountServing(await installation.issueServing());
    await agent.readyz(200);
  });

  test('is never of another CA, at the start either: not ready, and /readyz says why', async () => {
    await install();
    const other = await CertificateAuthority.create('another', 'ecdsa');
    installation.mountServing(await other.issue({ commonName: 'tcp-proxy', sans: NAMES, keyType: 'ecdsa' }));
    const agent = installation.serve();
    const parts = await agent.readyz(503, 'is issued by no valid CA');
    expect(parts.certificate).toEqual({ ok: false, detail: 'not loaded yet; the files were refused: tls.crt is issued by no valid CA of ca.crt' });
    await expect(installation.client.get()).rejects.toThrow('ECONNREFUSED');

    // The CA may come after what it has issued.
    installation.mountCa(`${installation.ca.certificate}${other.certificate}`);
    await agent.readyz(200);
  });

  test('of the next CA may come before that: it is taken up once the CA is there', async () => {
    const { client } = await install();
    const agent = installation.serve();
    await agent.readyz(200);
    const next = await CertificateAuthority.create('kubernetes-next', 'ecdsa');
    installation.mountServing(await next.issue({ commonName: 'tcp-proxy-next', sans: NAMES, keyType: 'ecdsa' }));
    await agent.logged('is issued by no valid CA');
    expect((await client.get()).certificate.subject.CN).toBe('tcp-proxy');
    installation.mountCa(`${installation.ca.certificate}${next.certificate}`);
    await eventually(async () => expect(await metric(agent, APPLIED)).toBe('1'));
    expect(await metric(agent, 'tcp_proxy_certificate_refused{kind="serving"}')).toBe('0');
  });

  test.each([
    ['HAProxy was started again', async () => process.kill(await installation.haproxy('master'), 'SIGKILL')],
    ['HAProxy was reloaded for another CA bundle', async () => installation.mountCa(`${installation.ca.certificate}${(await CertificateAuthority.create('next', 'ecdsa')).certificate}`)],
  ])('is the good one of before, not the wrong one in the files, after %s', async (_, cause) => {
    const { client } = await install();
    const agent = installation.serve();
    await agent.readyz(200);
    const worker = await installation.haproxy('worker');
    const other = await CertificateAuthority.create('another', 'ecdsa');
    installation.mountServing(await other.issue({ commonName: 'wrong', sans: NAMES, keyType: 'ecdsa' }));
    await agent.logged('is issued by no valid CA');
    await cause();
    await eventually(async () => expect(await installation.haproxy('worker')).not.toBe(worker));
    await eventually(async () => expect((await client.get()).certificate.subject.CN).toBe('tcp-proxy'));
    await agent.readyz(200, 'the files were refused');
  });

  test.each([
    ['pair is garbage', () => installation.mountServing({ certificate: 'garbage', key: 'garbage' }), 'tls.crt: holds no certificate'],
    ['CA is garbage', () => installation.mountCa('garbage'), 'ca.crt: holds no certificate'],
  ])('and the CA are the good ones of before when HAProxy is started again while the mounted %s', async (_, mount, reason) => {
    const { client } = await install();
    const agent = installation.serve();
    await agent.readyz(200);
    const worker = await installation.haproxy('worker');
    mount();
    await agent.logged(reason);
    process.kill(await installation.haproxy('master'), 'SIGKILL');
    await eventually(async () => expect(await installation.haproxy('worker')).not.toBe(worker));
    await agent.readyz(200, 'the files were refused');
    expect((await client.get()).certificate.subject.CN).toBe('tcp-proxy');
    expect((await agent.http('/metrics')).body).toContain('tcp_proxy_haproxy_restarts_total 1');
  });

  test('and the CA are read by HAProxy from copies, which nobody else can read and which hold nothing that was refused', async () => {
    await install();
    const agent = installation.serve();
    await agent.readyz(200);
    const folder = join(installation.runDir, 'accepted');
    const read = () => ['tls.crt', 'tls.key', 'ca.crt'].map(name => readFileSync(join(folder, name), 'utf8'));
    const before = read();
    const other = await CertificateAuthority.create('another', 'ecdsa');
    installation.mountServing(await other.issue({ commonName: 'wrong', sans: NAMES, keyType: 'ecdsa' }));
    await agent.logged('is issued by no valid CA');
    expect(read()).toEqual(before);
    const mode = (path: string) => statSync(path).mode.toString(8).slice(-3);
    expect(readdirSync(folder).map(name => [name, mode(join(folder, name))])).toEqual(
      ['ca.crt', 'haproxy.cfg', 'tls.crt', 'tls.key'].map(name => [name, '600']));
    expect(mode(folder)).toBe('700');
    const words = readFileSync(`/proc/${await installation.haproxy('master')}/cmdline`, 'utf8').split('\0');
    const config = readFileSync(words[words.indexOf('-f') + 1], 'utf8');
    expect(config).not.toContain(join(installation.dir, 'tls'));
    expect(config).not.toContain(join(installation.dir, 'ca'));

    const good = await installation.issueServing();
    installation.mountServing(good);
    await eventually(() => expect(read().slice(0, 2)).toEqual([good.certificate, good.key]));
  });

  test('stays when its CA leaves the bundle, as there is nothing better, and /readyz says so', async () => {
    const { client } = await install();
    const agent = installation.serve();
    await agent.readyz(200);
    installation.mountCa((await CertificateAuthority.create('kubernetes-next', 'ecdsa')).certificate);
    await agent.logged('is issued by no valid CA');
    expect((await eventually(() => agent.http('/readyz'))).body).toContain('the files were refused');
    // The upstream's certificate is of the old CA as well. HAProxy has the new one a moment after the certificate was refused.
    await eventually(() => expect(client.get()).rejects.toThrow());
    await eventually(async () => expect(await metric(agent, 'tcp_proxy_certificate_refused{kind="serving"}')).toBe('1'));
  });

  test('is the mounted one after HAProxy was started again', async () => {
    const { client } = await install({ serving: { keyType: 'rsa' } });
    const agent = installation.serve();
    await agent.readyz(200);
    installation.mountServing(await installation.issueServing({ keyType: 'ecdsa' }));
    await eventually(async () => expect(await keyBits()).toBe(256));

    process.kill(await installation.haproxy('master'), 'SIGKILL');
    await agent.logged('ended by SIGKILL');
    await agent.readyz(200);
    expect((await client.get()).certificate.bits).toBe(256);
  });
});

describeWithHaproxy('the tenant CA', () => {
  test('is followed when it changes: the upstream with a certificate of the new CA is trusted, open streams go on', async () => {
    const { client, upstream } = await install();
    const agent = installation.serve();
    await agent.readyz(200);
    const stream = await client.stream();
    const next = await CertificateAuthority.create('kubernetes-next', 'ecdsa');

    installation.mountCa(`${installation.ca.certificate}${next.certificate}`);
    await eventually(async () => expect(await metric(agent, 'tcp_proxy_certificate_updates_total{kind="ca",result="applied"}')).toBe('1'));
    upstream.streams[0].end('still here\n');
    await stream.waitFor('still here');

    const { port } = upstream;
    await upstream.stop();
    await agent.readyz(503);
    await installation.restartUpstream(port, next);
    await agent.readyz(200);
    expect((await client.get()).body).toBe('answer of the upstream');
  });

  test('is not replaced by garbage', async () => {
    const { client } = await install();
    const agent = installation.serve();
    await agent.readyz(200);
    installation.mountCa('garbage');

    // The serving certificate may be refused for it before.
    expect(await agent.logged('"kind":"ca","reason"')).toMatchObject({ level: 'error', reason: expect.stringContaining('ca.crt: holds no certificate') });
    expect((await client.get()).body).toBe('answer of the upstream');
    await agent.readyz(200);
  });

  test('is waited for when it is broken at the start, also where TLS stays closed', async () => {
    await install({ mode: 'tcp' });
    installation.mountCa('garbage');
    const agent = installation.serve();
    await agent.logged('waiting for a usable tenant CA');
    await agent.readyz(503, 'the files were refused: ca.crt: holds no certificate');
    installation.mountCa(installation.ca.certificate);
    await agent.readyz(200);
  });

  test('decides: an upstream of another CA is never ready, and gets no byte from a client', async () => {
    const { client, upstream } = await install();
    const { port } = upstream;
    await upstream.stop();
    await installation.restartUpstream(port, await CertificateAuthority.create('another', 'ecdsa'));
    const agent = installation.serve();
    await eventually(async () => expect(await agent.readyz(503)).toMatchObject({ haproxy: { ok: true }, upstream: { ok: false } }));

    await expect(client.get()).rejects.toThrow(/ECONNRESET|socket hang up|disconnected/);
    expect(installation.upstream.requests).toBe(0);
  });
});
