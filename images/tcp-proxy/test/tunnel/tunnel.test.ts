import { X509Certificate } from 'crypto';
import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { connect, ConnectionOptions, TLSSocket } from 'tls';
import { stopParts } from '../../../../test/data-path/support/parts';
import { CertificateAuthority, CertificatePair } from '../../../../test/support/certificates';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { freePorts } from '../../../../test/support/ports';
import { TicketKeys } from '../../src/gateway/ticket-keys';
import { RuntimeApi } from '../../src/haproxy/runtime-api';
import { GatewayInstallation, serviceName } from '../gateway/gateway-installation';
import { Agent } from '../support/agent';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { MountedFolder } from '../support/mounted-folder';

jest.setTimeout(40_000);

const HOST = 'tunnel.k8s.example.com';
const TENANT = 'tenants.a';

/** The mounted folder of one end. */
class End {
  public readonly dir = mkdtempSync(join(tmpdir(), 'tunnel-'));
  private readonly folder: MountedFolder;

  constructor(private pair: CertificatePair, private ca: string) {
    this.folder = new MountedFolder(join(this.dir, 'tunnel'), this.files());
  }

  public get path(): string {
    return this.folder.path;
  }

  public mount({ pair = this.pair, ca = this.ca }: { pair?: CertificatePair; ca?: string }): void {
    [this.pair, this.ca] = [pair, ca];
    this.folder.update(this.files());
  }

  private files(): Record<string, string> {
    return { 'tls.crt': this.pair.certificate, 'tls.key': this.pair.key, 'ca.crt': this.ca };
  }
}

const issueServer = (ca: CertificateAuthority) => ca.issue({ commonName: HOST, sans: [HOST], keyType: 'ecdsa' });
const issueClient = (ca: CertificateAuthority, more = {}) => ca.issue({ commonName: TENANT, keyType: 'ecdsa', ...more });

/** Both ends with their agents, and an upstream behind. */
class Lab {
  public static async create(): Promise<Lab> {
    const ca = await CertificateAuthority.create('tunnel', 'ecdsa');
    const [port] = await freePorts(1);
    const gateway = await GatewayInstallation.create(0, { tunnel: { port } });
    const proxy = await Installation.create({ mode: 'tcp', tunnel: { port, serverName: HOST } });
    gateway.dns.records.set(serviceName('a'), ['127.0.0.1']);
    gateway.mountRoutes({ 'tunnel-00.map': `${TENANT} ${serviceName('a')}:${proxy.upstream.port}\n` });
    return new Lab(ca, port, gateway, proxy, new End(await issueServer(ca), ca.certificate), new End(await issueClient(ca), ca.certificate));
  }

  private constructor(
    public readonly ca: CertificateAuthority,
    public readonly port: number,
    public readonly gateway: GatewayInstallation,
    public readonly proxy: Installation,
    public readonly server: End,
    public readonly client: End,
  ) {}

  public startGateway(): Agent {
    return this.gateway.start('--tunnel-dir', this.server.path);
  }

  public startProxy(): Agent {
    return this.proxy.serve('--tunnel-dir', this.client.path);
  }

  /** SHA-1 of the authorities that one end trusts. */
  public async trusts({ runDir }: { readonly runDir: string }): Promise<string[]> {
    return new RuntimeApi(join(runDir, 'haproxy.sock')).caFingerprints(join(runDir, 'tunnel', 'ca.crt'));
  }

  public async workers(): Promise<number[]> {
    return [await this.proxy.haproxy('worker'), ...(await this.gateway.workers()).map(({ pid }) => pid)];
  }

  /** SHA-1 of the certificate that one end uses. */
  public async uses(end: { readonly runDir: string }): Promise<string> {
    return new RuntimeApi(join(end.runDir, 'haproxy.sock')).certificateFingerprint('@tunnel/tls');
  }

  public async remove(): Promise<void> {
    await this.proxy.remove();
    await this.gateway.remove();
    for (const { dir } of [this.server, this.client]) rmSync(dir, { recursive: true, force: true });
  }
}

const fingerprint = ({ certificate }: CertificatePair) => new X509Certificate(certificate).fingerprint.replace(/:/g, '');

interface Entered {
  readonly entered: 'resumed' | 'anew' | 'not';
  readonly session?: Buffer;
  /** SHA-1 of the certificate of the gateway. */
  readonly served?: string;
}

/** Opens the outer TLS and says whether the gateway let the client in, and how. */
function open(port: number, ca: string, pair: CertificatePair, session?: Buffer): Promise<Entered> {
  return new Promise(resolve => {
    const options: ConnectionOptions = { host: '127.0.0.1', port, servername: HOST, ca, cert: pair.certificate, key: pair.key, maxVersion: 'TLSv1.2', session };
    const socket: TLSSocket = connect(options, () => {
      resolve({ entered: socket.isSessionReused() ? 'resumed' : 'anew', session: socket.getSession(), served: socket.getPeerCertificate().fingerprint?.replace(/:/g, '') });
      socket.destroy();
    });
    socket.on('error', () => resolve({ entered: 'not' }));
  });
}

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.create();
});
afterEach(async () => {
  await lab.remove();
  await stopParts();
});

describeWithHaproxy('a tunnel between two agents', () => {
  test('changes the certificates of both ends in the same workers, without harm to an open stream', async () => {
    const { gateway, proxy, server, client, ca } = lab;
    const ends = [lab.startGateway(), lab.startProxy()];
    for (const agent of ends) await agent.readyz(200);
    const before = await lab.workers();
    const stream = await proxy.client.stream();
    for (const round of [1, 2]) {
      const [serverPair, clientPair] = [await issueServer(ca), await issueClient(ca)];
      server.mount({ pair: serverPair });
      client.mount({ pair: clientPair });
      await eventually(async () => {
        expect(await lab.uses(gateway)).toBe(fingerprint(serverPair));
        expect(await lab.uses(proxy)).toBe(fingerprint(clientPair));
      });
      expect(await open(lab.port, ca.certificate, clientPair)).toMatchObject({ entered: 'anew', served: fingerprint(serverPair) });
      expect((await proxy.client.get()).body).toBe('answer of the upstream');
      proxy.upstream.streams[0].write(`round ${round}\n`);
      await stream.waitFor(`round ${round}`);
    }
    expect(await lab.workers()).toEqual(before);
    stream.close();
  });

  test('changes the authority of both ends without harm to an open stream, and no new connection fails meanwhile', async () => {
    const { gateway, proxy, server, client, ca } = lab;
    const ends = [lab.startGateway(), lab.startProxy()];
    for (const agent of ends) await agent.readyz(200);
    const next = await CertificateAuthority.create('tunnel', 'ecdsa');
    const both = ca.certificate + next.certificate;
    const [serverPair, clientPair] = [await issueServer(next), await issueClient(next)];
    // As an operator does: both are trusted, then shown, then the old one goes.
    const steps: { change: () => void; seen: () => Promise<boolean> }[] = [
      {
        change: () => [server, client].forEach(end => end.mount({ ca: both })),
        seen: async () => (await lab.trusts(gateway)).length === 2 && (await lab.trusts(proxy)).length === 2,
      },
      {
        change: () => server.mount({ pair: serverPair }),
        seen: async () => (await open(lab.port, next.certificate, clientPair)).served === fingerprint(serverPair),
      },
      { change: () => client.mount({ pair: clientPair }), seen: async () => await lab.uses(proxy) === fingerprint(clientPair) },
      {
        change: () => [server, client].forEach(end => end.mount({ ca: next.certificate })),
        seen: async () => (await lab.trusts(gateway)).length === 1 && (await lab.trusts(proxy)).length === 1,
      },
    ];
    // A second change of authorities within the grace period would cut the streams of before the first.
    for (const [i, { change, seen }] of steps.entries()) {
      const stream = await proxy.client.stream();
      change();
      await eventually(async () => {
        expect((await proxy.client.get()).body).toBe('answer of the upstream');
        expect(await seen()).toBe(true);
      });
      proxy.upstream.streams[i].end('still here\n');
      await stream.waitFor('still here');
      expect(await stream.ended).toBe('ended');
    }
    expect((await open(lab.port, next.certificate, await issueClient(ca))).entered).toBe('not');
  });

  test('an authority that is removed ends the sessions that it let in', async () => {
    const { server, ca, port } = lab;
    const other = await CertificateAuthority.create('other', 'ecdsa');
    server.mount({ ca: ca.certificate + other.certificate });
    await lab.startGateway().readyz(200);
    const pair = await issueClient(other);
    const { session } = await open(port, ca.certificate, pair);
    expect((await open(port, ca.certificate, pair, session)).entered).toBe('resumed');
    server.mount({ ca: ca.certificate });
    await eventually(async () => expect((await open(port, ca.certificate, pair, session)).entered).toBe('not'));
  });

  test('two gateways with the same Secret resume the sessions of each other, and one with another key does not', async () => {
    const { server, ca, port } = lab;
    const pair = await issueClient(ca);
    await lab.startGateway().readyz(200);
    const { session } = await open(port, ca.certificate, pair);
    const [second, third] = await freePorts(2);
    const start = (at: number) => GatewayInstallation.create(0, { tunnel: { port: at } });
    const others = [await start(second), await start(third)];
    const another = new End(await issueServer(ca), ca.certificate);
    try {
      await others[0].start('--tunnel-dir', server.path).readyz(200);
      await others[1].start('--tunnel-dir', another.path).readyz(200);
      expect((await open(second, ca.certificate, pair, session)).entered).toBe('resumed');
      expect((await open(third, ca.certificate, pair, session)).entered).toBe('anew');
    } finally {
      for (const other of others) await other.remove();
      rmSync(another.dir, { recursive: true, force: true });
    }
  });

  test('the keys of tickets change with the hour: a session lives on over one change, and not over three', async () => {
    const { gateway, ca, port } = lab;
    const pair = await issueClient(ca);
    await lab.startGateway().readyz(200);
    const { session } = await open(port, ca.certificate, pair);
    const runtime = new RuntimeApi(join(gateway.runDir, 'haproxy.sock'));
    const turnTo = (hour: number) =>
      new TicketKeys({ runtime, file: name => join(gateway.runDir, 'tunnel', name), now: () => Date.now() + hour * 3_600_000 }).reconcile();
    await turnTo(1);
    const later = await open(port, ca.certificate, pair, session);
    expect(later.entered).toBe('resumed');
    // The agent, which goes by the clock, may turn back in between.
    await eventually(async () => {
      await turnTo(3);
      expect((await open(port, ca.certificate, pair, session)).entered).toBe('anew');
    });
    await turnTo(3);
    expect((await open(port, ca.certificate, pair)).entered).toBe('anew');
  });

  test('files of no use are refused on either side, and those before stay in use', async () => {
    const { gateway, proxy, server, client, ca } = lab;
    const ends = [lab.startGateway(), lab.startProxy()];
    for (const agent of ends) await agent.readyz(200);
    const before = [await lab.uses(gateway), await lab.uses(proxy)];
    server.mount({ pair: await ca.issue({ commonName: HOST, notAfter: new Date(Date.now() - 1000), keyType: 'ecdsa' }) });
    client.mount({ pair: { ...await issueClient(ca), key: (await issueClient(ca)).key } });
    await ends[0].logged('tls.crt expired at');
    await ends[1].logged('tls.key does not belong to the certificate in tls.crt');
    expect([await lab.uses(gateway), await lab.uses(proxy)]).toEqual(before);
    expect((await ends[0].readyz(200)).tunnel.detail).toContain('the files were refused: tls.crt expired at');
    expect((await ends[1].readyz(200)).certificate.detail).toContain('the files were refused: tls.key does not belong');
  });

  test('an expired certificate of the tunnel does not keep a gateway from starting', async () => {
    lab.server.mount({ pair: await lab.ca.issue({ commonName: HOST, sans: [HOST], notAfter: new Date(Date.now() - 1000), keyType: 'ecdsa' }) });
    expect((await lab.startGateway().readyz(200)).tunnel.ok).toBe(true);
  });

  test.each([
    ['of a CA that the gateway does not know', async () => issueClient(await CertificateAuthority.create('other', 'ecdsa')), 'the tunnel: the gateway does not know the CA of the certificate that this proxy shows'],
    ['of a tenant that the gateway does not know', async () => issueClient(lab.ca, { commonName: 'tenants.unknown' }), 'the tunnel: the gateway takes the certificate and leads it to no API server'],
    ['that has expired', async () => issueClient(lab.ca, { notAfter: new Date(Date.now() - 1000) }), 'the gateway refuses the certificate that this proxy shows: it has expired'],
  ])('a proxy with a certificate %s says so', async (_, pair, cause) => {
    lab.client.mount({ pair: await pair() });
    await lab.startGateway().readyz(200);
    const agent = lab.startProxy();
    await eventually(async () => expect((await agent.readyz(503)).upstream.detail).toContain(cause));
  });
});
