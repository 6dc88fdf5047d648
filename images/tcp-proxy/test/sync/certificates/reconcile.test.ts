import { X509Certificate } from 'crypto';
import { once } from 'events';
import { AddressInfo } from 'net';
import { connect, createServer } from 'tls';
import pino from 'pino';
import { Authority, createAuthority, secretOf } from './authorities';
import type { CertificateRequest } from '../../../../../src/agent/contract/bundle';
import { parsePair } from '../../../src/certificates/certificate-pair';
import { certificateRequest } from '../../../src/sync/bundle';
import { certificateObjects, CertificateResult, reconcileCertificate, SecretData, TenantObject } from '../../../src/sync/certificates';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = new Date();
const at = (ms: number) => new Date(NOW.getTime() + ms);

const OBJECTS = { secretName: 'tcp-proxy-tls', caConfigMapName: 'tcp-proxy-ca', namespace: 'kube-system' };
const CA = { secretName: 'tenant-01-ca', certificateKey: 'ca.crt', privateKeyKey: 'ca.key' };
const ISSUE: CertificateRequest = {
  kind: 'issue', ca: CA, ...OBJECTS, dnsNames: ['kubernetes', 'kubernetes.default.svc'], ipAddresses: ['10.96.0.1', 'fd00:10:96::1'],
};
const COPY: CertificateRequest = {
  kind: 'copy',
  source: { secretName: 'tenant-01-api-server-certificate', certificateKey: 'apiserver.crt', privateKeyKey: 'apiserver.key' },
  ca: { secretName: 'tenant-01-ca', certificateKey: 'ca.crt' },
  ...OBJECTS,
};

const CLIENT: CertificateRequest = {
  kind: 'copy',
  purpose: 'client',
  source: { secretName: 'tenant-01-tcp-proxy-tunnel-tls', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
  ca: { secretName: 'tenant-01-tcp-proxy-tunnel-tls', certificateKey: 'ca.crt' },
  ...OBJECTS,
};

/** A management cluster and a tenant cluster, as far as certificates meet them. */
class Clusters {
  public readonly secrets = new Map<string, SecretData>();
  public readonly objects = new Map<string, TenantObject>();
  public readonly applied: TenantObject[] = [];

  public setCa(signer: Authority, ...others: Authority[]): void {
    this.secrets.set(CA.secretName, secretOf({ 'ca.crt': [signer, ...others].map(ca => ca.certificate).join(''), 'ca.key': signer.key }));
  }

  public setPodCa(...authorities: Authority[]): void {
    this.put({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kube-root-ca.crt', namespace: 'kube-system' },
      data: { 'ca.crt': authorities.map(ca => ca.certificate).join('') },
    });
  }

  public put(object: TenantObject): void {
    this.objects.set(`${object.kind} ${object.metadata.namespace}/${object.metadata.name}`, object);
  }

  public get secret(): TenantObject {
    return this.objects.get('Secret kube-system/tcp-proxy-tls')!;
  }

  public get pair(): { certificate: string; key: string } {
    const text = (key: string) => Buffer.from(this.secret.data![key], 'base64').toString();
    return { certificate: text('tls.crt'), key: text('tls.key') };
  }

  public get trusted(): string {
    return this.objects.get('ConfigMap kube-system/tcp-proxy-ca')!.data!['ca.crt'];
  }

  public reconcile(request: CertificateRequest = ISSUE, now = NOW): Promise<CertificateResult> {
    return reconcileCertificate({
      request,
      now,
      log: pino({ level: 'silent' }),
      management: { secret: async name => this.secrets.get(name) },
      tenant: {
        get: async (kind, namespace, name) => this.objects.get(`${kind} ${namespace}/${name}`),
        apply: async object => {
          this.applied.push(object);
          this.put(object);
        },
      },
    });
  }
}

let ca: Authority;
let other: Authority;
let clusters: Clusters;

beforeAll(async () => {
  [ca, other] = await Promise.all([createAuthority(), createAuthority()]);
});
beforeEach(() => {
  clusters = new Clusters();
  clusters.setCa(ca);
  clusters.setPodCa(ca);
});

async function trustedBy(authority: Authority, { certificate, key }: { certificate: string; key: string }): Promise<boolean> {
  const server = createServer({ cert: certificate, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', servername: 'kubernetes.default.svc', ca: authority.certificate, rejectUnauthorized: false });
  await once(client, 'secureConnect');
  const { authorized } = client;
  client.destroy();
  server.close();
  return authorized;
}

describe('in a new tenant', () => {
  test('the CA is written, then a certificate that its clients accept', async () => {
    const result = await clusters.reconcile();
    expect(result.written).toEqual(['ConfigMap', 'Secret']);
    expect(clusters.applied.map(object => `${object.kind} ${object.metadata.namespace}/${object.metadata.name}`)).toEqual(
      ['ConfigMap kube-system/tcp-proxy-ca', 'Secret kube-system/tcp-proxy-tls']);
    expect(clusters.secret.type).toBe('kubernetes.io/tls');
    expect(clusters.trusted).toBe(ca.certificate);
    expect(await trustedBy(ca, clusters.pair)).toBe(true);
    // What serve accepts.
    expect(parsePair(clusters.pair.certificate, clusters.pair.key).notAfter).toEqual(result.notAfter);
  });

  test('nothing waits for kube-root-ca.crt, which comes later', async () => {
    clusters.objects.clear();
    expect((await clusters.reconcile()).written).toEqual(['ConfigMap', 'Secret']);
  });

  test('the key of the CA stays in the management cluster', async () => {
    await clusters.reconcile();
    const body = ca.key.split('\n')[1];
    const written = JSON.stringify(clusters.applied);
    expect(written).not.toContain(body);
    expect(written).not.toContain(clusters.secrets.get(CA.secretName)!.data!['ca.key'].slice(64, 128));
  });

  test('the objects are those that go with the request', async () => {
    await clusters.reconcile();
    expect(certificateObjects(ISSUE).map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).sort()).toEqual(
      clusters.applied.map(object => `${object.kind} ${object.metadata.namespace}/${object.metadata.name}`).sort());
  });

  test('the result says when the certificate and the CA expire, and when to come back', async () => {
    const { notAfter, caNotAfter, nextRun } = await clusters.reconcile();
    expect(Math.abs(notAfter.getTime() - at(90 * DAY).getTime())).toBeLessThan(1000);
    expect(caNotAfter).toEqual(new Date(new X509Certificate(ca.certificate).validTo));
    expect(Math.abs(nextRun!.getTime() - at(60 * DAY).getTime())).toBeLessThan(5 * MINUTE);
  });
});

describe('without a difference', () => {
  test('nothing is written, however often and late', async () => {
    await clusters.reconcile();
    clusters.applied.length = 0;
    for (const time of [0, MINUTE, DAY, 59 * DAY]) {
      expect((await clusters.reconcile(ISSUE, at(time))).written).toEqual([]);
    }
    expect(clusters.applied).toEqual([]);
  });

  test('neither the order of names nor the spelling of an address counts', async () => {
    await clusters.reconcile();
    const reordered = { ...ISSUE, dnsNames: [...ISSUE.dnsNames].reverse(), ipAddresses: ['fd00:10:96:0:0:0:0:1', '10.96.0.1'] } as CertificateRequest;
    expect((await clusters.reconcile(reordered)).written).toEqual([]);
  });

  test('a CA certificate that renews another with the same key takes its place, and the serving certificate stays', async () => {
    await clusters.reconcile();
    const renewed = await createAuthority({ keyOf: ca });
    clusters.setCa(renewed);
    clusters.setPodCa(renewed);
    expect((await clusters.reconcile()).written).toEqual(['ConfigMap']);
    expect(clusters.trusted).toBe(renewed.certificate);
    expect(await trustedBy(renewed, clusters.pair)).toBe(true);
  });
});

describe('the certificate is replaced when', () => {
  let before: string;
  beforeEach(async () => {
    await clusters.reconcile();
    before = clusters.pair.certificate;
  });
  const change = (data: Record<string, string>) => clusters.put({ ...clusters.secret, data: { ...clusters.secret.data, ...secretOf(data).data } });

  test.each<[string, () => void]>([
    ['the Secret is gone', () => void clusters.objects.delete('Secret kube-system/tcp-proxy-tls')],
    ['the certificate is no certificate', () => change({ 'tls.crt': 'hello' })],
    ['the certificate is broken', () => change({ 'tls.crt': before.replace(/[A-Z]{2}/g, 'AA') })],
    ['the key is no key', () => change({ 'tls.key': 'hello' })],
    ['the key is that of another certificate', () => change({ 'tls.key': other.key })],
    ['the key is missing', () => clusters.put({ ...clusters.secret, data: { 'tls.crt': clusters.secret.data!['tls.crt'] } })],
  ])('%s', async (_, damage) => {
    damage();
    expect((await clusters.reconcile()).written).toEqual(['Secret']);
    expect(clusters.pair.certificate).not.toBe(before);
    expect(await trustedBy(ca, clusters.pair)).toBe(true);
  });

  test.each([['two thirds of its life are over', 60], ['it has expired', 91]])('%s', async (_, days) => {
    const { written, notAfter } = await clusters.reconcile(ISSUE, at(days * DAY));
    expect(written).toEqual(['Secret']);
    expect(notAfter).toEqual(new Date(new X509Certificate(clusters.pair.certificate).validTo));
    expect(Math.abs(notAfter.getTime() - at((days + 90) * DAY).getTime())).toBeLessThan(1000);
  });

  test.each<[string, Partial<Extract<CertificateRequest, { kind: 'issue' }>>]>([
    ['a name is new', { dnsNames: ['kubernetes', 'kubernetes.default.svc', 'kubernetes.default.svc.example.org'] }],
    ['a name is gone', { dnsNames: ['kubernetes.default.svc'] }],
    ['an address is another', { ipAddresses: ['10.96.0.1', 'fd00:10:97::1'] }],
  ])('%s', async (_, names) => {
    const request = { ...ISSUE, ...names } as CertificateRequest;
    expect((await clusters.reconcile(request)).written).toEqual(['Secret']);
    expect((await clusters.reconcile(request)).written).toEqual([]);
  });
});

describe('the ConfigMap with the CA', () => {
  test.each([
    ['is gone', () => void clusters.objects.delete('ConfigMap kube-system/tcp-proxy-ca')],
    ['holds no certificate', () => clusters.put({ ...clusters.objects.get('ConfigMap kube-system/tcp-proxy-ca')!, data: { 'ca.crt': 'hello' } })],
    ['holds one that someone added', () => clusters.put({
      ...clusters.objects.get('ConfigMap kube-system/tcp-proxy-ca')!, data: { 'ca.crt': ca.certificate + other.certificate },
    })],
    ['lost what was recorded with it', () => clusters.put({
      ...clusters.objects.get('ConfigMap kube-system/tcp-proxy-ca')!,
      metadata: { ...OBJECTS, name: 'tcp-proxy-ca', annotations: { 'tcp-proxy.cdk8s-hosted-control-plane/ca-rotation': '{' } },
    })],
  ])('is written again when it %s', async (_, damage) => {
    await clusters.reconcile();
    const wanted = clusters.objects.get('ConfigMap kube-system/tcp-proxy-ca');
    damage();
    expect((await clusters.reconcile()).written).toEqual(['ConfigMap']);
    expect(clusters.objects.get('ConfigMap kube-system/tcp-proxy-ca')).toEqual(wanted);
  });
});

describe('a rotation of the CA', () => {
  beforeEach(() => clusters.reconcile());

  test('has proxies trust both, pods meet the new one once all of them trust it, and ends with the new one', async () => {
    const first = clusters.pair;
    clusters.setCa(other, ca);
    expect(await clusters.reconcile(ISSUE, at(0))).toMatchObject({ written: ['ConfigMap'], nextRun: at(30_000), waiting: expect.stringContaining('do not trust') });
    expect(clusters.trusted).toBe(other.certificate + ca.certificate);
    expect(await clusters.reconcile(ISSUE, at(MINUTE))).toMatchObject({ written: [] });

    clusters.setPodCa(ca, other);
    expect(await clusters.reconcile(ISSUE, at(2 * MINUTE))).toMatchObject({ nextRun: at(4 * MINUTE), waiting: expect.stringContaining('may not have seen') });
    expect(await clusters.reconcile(ISSUE, at(3 * MINUTE))).toMatchObject({ written: [], nextRun: at(4 * MINUTE) });
    expect(clusters.pair).toEqual(first);
    expect((await clusters.reconcile(ISSUE, at(4 * MINUTE))).written).toEqual(['ConfigMap', 'Secret']);
    expect(await trustedBy(other, clusters.pair)).toBe(true);
    expect(await trustedBy(ca, clusters.pair)).toBe(false);

    clusters.setCa(other);
    clusters.setPodCa(other);
    const { nextRun } = await clusters.reconcile(ISSUE, at(10 * MINUTE));
    expect(nextRun).toEqual(at(10 * MINUTE + DAY));
    expect(clusters.trusted).toBe(other.certificate + ca.certificate);
    expect((await clusters.reconcile(ISSUE, nextRun)).written).toEqual(['ConfigMap']);
    expect(clusters.trusted).toBe(other.certificate);
    expect((await clusters.reconcile(ISSUE, nextRun)).written).toEqual([]);
  });

  test('goes on where another sync left off', async () => {
    clusters.setCa(other);
    clusters.setPodCa(ca, other);
    await clusters.reconcile(ISSUE, at(0));
    const successor = new Clusters();
    for (const [name, secret] of clusters.secrets) successor.secrets.set(name, secret);
    for (const object of clusters.objects.values()) successor.put(JSON.parse(JSON.stringify(object)) as TenantObject);
    expect((await successor.reconcile(ISSUE, at(2 * MINUTE))).written).toContain('Secret');
    expect(successor.trusted).toBe(other.certificate + ca.certificate);
  });

  test('that is taken back leaves everything as it was', async () => {
    const first = clusters.pair;
    clusters.setCa(other, ca);
    await clusters.reconcile(ISSUE, at(0));
    clusters.setCa(ca);
    await clusters.reconcile(ISSUE, at(MINUTE));
    await clusters.reconcile(ISSUE, at(MINUTE + DAY));
    expect(clusters.pair).toEqual(first);
    expect(clusters.trusted).toBe(ca.certificate);
  });
});

describe('a copy', () => {
  const setSource = async (issuer: Clusters) => {
    await issuer.reconcile();
    const { certificate, key } = issuer.pair;
    clusters.secrets.set('tenant-01-api-server-certificate', secretOf({ 'apiserver.crt': certificate, 'apiserver.key': key }));
    return issuer.pair;
  };
  const issuerWith = (authority: Authority) => {
    const issuer = new Clusters();
    issuer.setCa(authority);
    return issuer;
  };

  test('is the pair of the source, and follows it', async () => {
    const first = await setSource(issuerWith(ca));
    expect((await clusters.reconcile(COPY)).written).toEqual(['ConfigMap', 'Secret']);
    expect(clusters.pair).toEqual(first);
    expect(clusters.trusted).toBe(ca.certificate);
    expect(await clusters.reconcile(COPY)).toMatchObject({ written: [] });
    const second = await setSource(issuerWith(ca));
    expect((await clusters.reconcile(COPY)).written).toEqual(['Secret']);
    expect(clusters.pair).toEqual(second);
  });

  test('of a new CA waits for the pods as well', async () => {
    const first = await setSource(issuerWith(ca));
    await clusters.reconcile(COPY);
    const second = await setSource(issuerWith(other));
    clusters.setCa(other);
    expect(await clusters.reconcile(COPY)).toMatchObject({ written: ['ConfigMap'], waiting: expect.stringContaining('do not trust') });
    expect(clusters.pair).toEqual(first);
    clusters.setPodCa(other);
    await clusters.reconcile(COPY);
    expect(clusters.pair).toEqual(second);
  });

  test('is not made of what has expired', async () => {
    await setSource(issuerWith(ca));
    await expect(clusters.reconcile(COPY, at(91 * DAY))).rejects.toThrow(
      /^Secret "tenant-01-api-server-certificate" of the management cluster: the certificate expired at /);
  });

  test('is not made of halves that do not belong together', async () => {
    const { certificate } = await setSource(issuerWith(ca));
    clusters.secrets.set('tenant-01-api-server-certificate', secretOf({ 'apiserver.crt': certificate, 'apiserver.key': other.key }));
    await expect(clusters.reconcile(COPY)).rejects.toThrow('Secret "tenant-01-api-server-certificate" of the management cluster: ' +
      'apiserver.key does not belong to the certificate in apiserver.crt');
  });
});

describe('an error tells what is wrong with', () => {
  test.each<[string, () => void, string]>([
    ['a Secret that does not exist', () => clusters.secrets.clear(), 'Secret "tenant-01-ca" of the management cluster does not exist'],
    ['a Secret without the key', () => clusters.secrets.set(CA.secretName, secretOf({ 'tls.crt': 'x', 'tls.key': 'y' })),
      'Secret "tenant-01-ca" of the management cluster: has no ca.crt; there is tls.crt, tls.key'],
    ['an empty Secret', () => clusters.secrets.set(CA.secretName, {}),
      'Secret "tenant-01-ca" of the management cluster: has no ca.crt; there is nothing in it'],
    ['a CA that is no certificate', () => clusters.secrets.set(CA.secretName, secretOf({ 'ca.crt': 'x', 'ca.key': ca.key })),
      'Secret "tenant-01-ca" of the management cluster: ca.crt holds no certificate in PEM form'],
    ['a key of another CA', () => clusters.secrets.set(CA.secretName, secretOf({ 'ca.crt': ca.certificate, 'ca.key': other.key })),
      'Secret "tenant-01-ca" of the management cluster: ca.key is the private key of none of the certificates beside it'],
    ['a key that is none', () => clusters.secrets.set(CA.secretName, secretOf({ 'ca.crt': ca.certificate, 'ca.key': 'x' })),
      'Secret "tenant-01-ca" of the management cluster: ca.key holds no private key that can be read'],
    ['a Secret in the tenant of another type', () => clusters.put({
      apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tcp-proxy-tls', namespace: 'kube-system' }, type: 'Opaque',
    }), 'Secret "tcp-proxy-tls" in the namespace "kube-system" of the tenant has the type Opaque, which cannot be changed: ' +
      'delete it, or give the Secret of the proxy another name'],
  ])('%s', async (_, damage, message) => {
    damage();
    await expect(clusters.reconcile()).rejects.toThrow(message);
    expect(clusters.applied.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  test('a CA whose certificate is not that of an authority', async () => {
    await clusters.reconcile();
    const { certificate, key } = clusters.pair;
    clusters.secrets.set(CA.secretName, secretOf({ 'ca.crt': certificate, 'ca.key': key }));
    await expect(clusters.reconcile()).rejects.toThrow('the certificate of ca.key is not that of a certificate authority');
  });
});

describe('a request', () => {
  test.each([['issue', ISSUE], ['copy', COPY], ['client', CLIENT]])('of the kind %s is read as it is written', (_, request) => {
    expect(certificateRequest.parse(JSON.parse(JSON.stringify(request)))).toEqual(request);
  });

  test.each<[string, unknown]>([
    ['of another kind', { ...ISSUE, kind: 'borrow' }],
    ['to issue without a key', { ...ISSUE, ca: COPY.ca }],
    ['for an address that is none', { ...ISSUE, ipAddresses: ['kubernetes'] }],
    ['to copy from nowhere', { ...COPY, source: undefined }],
  ])('%s is refused', (_, request) => {
    expect(certificateRequest.safeParse(request).success).toBe(false);
  });
});

describe('a client certificate for a tunnel', () => {
  /** As cert-manager keeps it: with the authority that issued it. */
  const setSource = async (authority: Authority) => {
    const issuer = new Clusters();
    issuer.setCa(authority);
    await issuer.reconcile();
    const { certificate, key } = issuer.pair;
    clusters.secrets.set(CLIENT.ca.secretName, secretOf({ 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.certificate }));
    return issuer.pair;
  };

  test('is copied with its authority, whatever the pods of the tenant trust', async () => {
    const first = await setSource(other);
    expect((await clusters.reconcile(CLIENT)).written).toEqual(['ConfigMap', 'Secret']);
    expect(clusters.pair).toEqual(first);
    expect(clusters.trusted).toBe(other.certificate);
    expect(await clusters.reconcile(CLIENT)).toMatchObject({ written: [] });
  });

  test('of a new authority takes its place at once, and the one before stays trusted for a day', async () => {
    await setSource(ca);
    await clusters.reconcile(CLIENT);
    const second = await setSource(other);
    expect((await clusters.reconcile(CLIENT)).written).toEqual(['ConfigMap', 'Secret']);
    expect(clusters.pair).toEqual(second);
    expect(clusters.trusted).toBe(other.certificate + ca.certificate);
    await clusters.reconcile(CLIENT, at(DAY + MINUTE));
    expect(clusters.trusted).toBe(other.certificate);
  });
});
