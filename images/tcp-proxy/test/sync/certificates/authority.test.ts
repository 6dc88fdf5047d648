import { createAuthority } from './authorities';
import { parseAuthorities, parseCertificates } from '../../../src/sync/certificates/authority';
import { readText } from '../../../src/sync/certificates/key-pair';
import { caConfigMap, readCaState } from '../../../src/sync/certificates/objects';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const REQUEST = {
  kind: 'issue' as const,
  ca: { secretName: 'ca', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
  namespace: 'kube-system',
  secretName: 'tls',
  caConfigMapName: 'ca',
  dnsNames: [],
  ipAddresses: [],
};

test('a bundle gives its certificates in their order, each once, whatever is between them', async () => {
  const [one, two] = await Promise.all([createAuthority(), createAuthority()]);
  const pem = `# one\n${one.certificate}text ${BEGIN.slice(1)}\n${two.certificate}${one.certificate}${BEGIN}\nnever ends`;
  expect(parseAuthorities(pem, 'ca.crt').map(({ pem: block }) => block.trim())).toEqual([one.certificate.trim(), two.certificate.trim()]);
});

test('a text in which certificates begin and never end holds none', () => {
  expect(() => parseCertificates(`${BEGIN}\n`.repeat(200_000), 'ca.crt')).toThrow('ca.crt holds no certificate in PEM form');
});

test('a bundle of more certificates than a cluster has authorities is not read', async () => {
  const { certificate } = await createAuthority();
  expect(parseCertificates(certificate.repeat(64), 'ca.crt')).toHaveLength(64);
  expect(() => parseCertificates(certificate.repeat(65), 'ca.crt')).toThrow('ca.crt holds more than 64 certificates');
});

test('a Secret with more under a key than certificates need is not read', () => {
  expect(() => readText({ data: { 'tls.crt': 'x'.repeat(300_000) } }, 'tls.crt')).toThrow('has a tls.crt of more than 262144 characters');
});

test.each([
  ['arrays in each other', `{"authorities":${'['.repeat(1_000)}`],
  ['thousands of authorities', JSON.stringify({ authorities: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`a${i}`, 'needed'])) })],
])('what a tenant writes of a change of its CA counts for nothing when it is made of %s', (_, text) => {
  const written = caConfigMap(REQUEST, { certificates: [], record: new Map() });
  const [annotation] = Object.keys(written.metadata.annotations!);
  expect(readCaState({ ...written, metadata: { ...written.metadata, annotations: { [annotation]: text } } }, []).record.size).toBe(0);
  expect(readCaState({ ...written, metadata: { ...written.metadata, annotations: { [annotation]: '{"authorities":{"a":"needed"}}' } } }, []).record.size).toBe(1);
});
