import { App, Chart, Testing } from 'cdk8s';
import {
  ControlPlaneEntry, ControlPlanePlatform, IngressController, IngressExposedControlPlane, K0smotronApiVersion, ServingCertificate,
  SharedIngressGateway,
} from '../../src';
import { apiServerCertificatesOf } from '../support/api-server-certificates';
import { PlainPlatform } from '../support/plain';
import { expectValid } from '../support/schemas';

/** Where the resource of each platform has what mounts a Secret and gives it to the API server. */
const PLATFORMS: { [name: string]: { platform: () => ControlPlanePlatform; several: boolean } } = {
  'kamaji': { platform: () => ControlPlanePlatform.kamaji(), several: true },
  'kamaji-control-plane': { platform: () => ControlPlanePlatform.kamajiControlPlane(), several: true },
  'steward': { platform: () => ControlPlanePlatform.steward(), several: false },
  'k0smotron': { platform: () => ControlPlanePlatform.k0smotron(), several: false },
  'k0smotron, v1beta1': { platform: () => ControlPlanePlatform.k0smotron({ apiVersion: K0smotronApiVersion.V1BETA1 }), several: false },
  'k0smotron-control-plane': { platform: () => ControlPlanePlatform.k0smotronControlPlane(), several: false },
};
const HYPERSHIFT = () => ControlPlanePlatform.hypershift({ releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret' });
const own = (name: string, secret = name): ControlPlaneEntry => ({ name, hostname: `${name}.example.net`, certificate: ServingCertificate.existingSecret(secret) });
const pair = (folder: string) => [`${folder}/tls.crt`, `${folder}/tls.key`];

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

function tenant(platform: ControlPlanePlatform, furtherEntries: ControlPlaneEntry[] = [], further: object = {}): { resource: any; objects: any[] } {
  const chart = new Chart(new App(), 'management');
  const gateway = new SharedIngressGateway(chart, 'edge', { namespace: 'edge', portRange: { first: 30000, last: 30085 } });
  const { platformObject } = new IngressExposedControlPlane(chart, 'tenant-01', {
    namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', konnectivity: {}, platform, controller: gateway.asController(), furtherEntries, ...further,
  });
  const objects = Testing.synth(chart);
  objects.forEach(object => expectValid(object));
  return { resource: platformObject.toJson(), objects };
}

describe.each(Object.entries(PLATFORMS))('%s', (name, { platform, several }) => {
  test('mounts the Secret, and has the API server serve it to clients that ask for the host', () => {
    const { resource } = tenant(platform(), [own('public')]);
    const [certificate, ...others] = apiServerCertificatesOf(resource);
    expect(others).toEqual([]);
    expect(certificate).toEqual({ secretName: 'public', hosts: ['public.example.net'], files: pair(certificate.folder), folder: expect.stringMatching(/^\/etc\/serving-certificate/) });
    expect(resource).toMatchObject(withoutLists(tenant(platform()).resource));
  });

  test('serves one Secret to all hosts that share it', () => {
    expect(apiServerCertificatesOf(tenant(platform(), [own('one', 'shared'), own('two', 'shared')]).resource))
      .toEqual([expect.objectContaining({ secretName: 'shared', hosts: ['one.example.net', 'two.example.net'] })]);
  });

  test(several ? 'serves several Secrets, each to its hosts' : 'refuses a second Secret, of which it would lose one', () => {
    const entries = [own('one'), own('two')];
    if (several) {
      expect(apiServerCertificatesOf(tenant(platform(), entries).resource).map(({ secretName, hosts }) => [secretName, hosts]))
        .toEqual([['one', ['one.example.net']], ['two', ['two.example.net']]]);
    } else {
      expect(() => tenant(platform(), entries)).toThrow(/furtherEntries: \["one","two"\] have Secrets of 2 certificates, and (Steward|k0s) hands one --tls-sni-cert-key on/);
    }
  });

  test('has the resource as it was once the certificate is gone', () => {
    expect(tenant(platform(), [{ name: 'public', hostname: 'public.example.net' }]).resource)
      .toEqual(tenant(platform(), [{ name: 'public', hostname: 'public.example.net', certificate: undefined }]).resource);
    expect(apiServerCertificatesOf(tenant(platform()).resource)).toEqual([]);
    expect(JSON.stringify(tenant(platform()).resource)).not.toMatch(/additionalVolume|extraVolume|"mounts"|tls-sni/);
  });

  test('mounts Secrets with the longest names', () => {
    const { resource } = tenant(platform(), [own('public', `a.${'b'.repeat(250)}`)]);
    expect(apiServerCertificatesOf(resource)[0].folder.length).toBeLessThan(80);
  });

  test('takes no such flag of the user\'s beside it', () => {
    const flag = 'tls-sni-cert-key';
    const withFlag: { [system: string]: () => ControlPlanePlatform } = {
      'kamaji': () => ControlPlanePlatform.kamaji({ extraArgs: { apiServer: [`--${flag}=/a,/b`] } }),
      'kamaji-control-plane': () => ControlPlanePlatform.kamajiControlPlane({ extraArgs: { apiServer: [`--${flag}=/a,/b`] } }),
      'steward': () => ControlPlanePlatform.steward({ extraArgs: { apiServer: [`--${flag}=/a,/b`] } }),
      'k0smotron': () => ControlPlanePlatform.k0smotron({ k0sConfig: { api: { extraArgs: { [flag]: '/a,/b' } } } }),
      'k0smotron, v1beta1': () => ControlPlanePlatform.k0smotron({ apiVersion: K0smotronApiVersion.V1BETA1, k0sConfig: { api: { extraArgs: { [flag]: '/a,/b' } } } }),
      'k0smotron-control-plane': () => ControlPlanePlatform.k0smotronControlPlane({ k0sConfig: { api: { extraArgs: { [flag]: '/a,/b' } } } }),
    };
    expect(() => tenant(withFlag[name](), [own('public')])).toThrow(/tls-sni-cert-key.* stands beside/);
    expect(() => tenant(withFlag[name]())).not.toThrow();
  });
});

/** A resource without its lists, and without the names in its certificate. */
function withoutLists(resource: any): any {
  return JSON.parse(JSON.stringify(resource, (_, value) => Array.isArray(value) ? undefined : value));
}

describe('HyperShift', () => {
  const AT_PORT = { port: 30001 };

  test('serves the certificate of a further host by servingCerts', () => {
    const { resource } = tenant(HYPERSHIFT(), [own('public')], AT_PORT);
    expect(resource.spec.configuration.apiServer.servingCerts.namedCertificates).toEqual([{ names: ['public.example.net'], servingCertificate: { name: 'public' } }]);
    const { configuration, ...others } = resource.spec;
    expect(others).toEqual(tenant(HYPERSHIFT(), [], AT_PORT).resource.spec);
  });

  test('refuses a further host without one, which its own certificate would not have', () => {
    expect(() => tenant(HYPERSHIFT(), [{ name: 'public', hostname: 'public.example.net' }], AT_PORT))
      .toThrow('hostname of the entry public: "public.example.net" would be a host that the certificate of HyperShift\'s API server does not have, and no field adds one. ' +
        'Give the entry a certificate of its own');
  });

  test('refuses a further host of konnectivity', () => {
    expect(() => tenant(HYPERSHIFT(), [{ name: 'public', konnectivityHostname: 'public.example.net' }], AT_PORT))
      .toThrow('konnectivityHostname of the entry public: "public.example.net" would be a host that the certificate of HyperShift\'s konnectivity server does not have');
  });

  test('lets the pods of another controller reach its konnectivity server', () => {
    const konnectivity = { controller: IngressController.gatewayApi({ gateway: { name: 'agents', namespace: 'agents' } }) };
    const { objects } = tenant(HYPERSHIFT(), [], { ...AT_PORT, konnectivity, networkPolicy: { namespaces: ['agents'] } });
    expect(objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'shared-address').spec.ingress[0].from).toEqual([
      expect.objectContaining({ podSelector: expect.anything() }), { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'agents' } } },
    ]);
    expect(() => tenant(HYPERSHIFT(), [], { ...AT_PORT, konnectivity })).toThrow(/networkPolicy: is not set, and .* keep gateway-api/);
  });
});

test('a platform that does not say that it can is refused, never left out', () => {
  expect(() => tenant(new PlainPlatform(), [own('public')]))
    .toThrow('furtherEntries: ["public"] have certificates of their own, which plain cannot give to the API server');
});

test('an entry for konnectivity alone has no certificate of its own', () => {
  expect(() => tenant(ControlPlanePlatform.kamaji(), [{ ...own('public'), hostname: undefined, konnectivityHostname: 'agents.example.net' }]))
    .toThrow('furtherEntries[0].certificate: "existingSecret(\\"public\\")" is for no host');
});

describe('cert-manager', () => {
  const issuer = { name: 'letsencrypt', kind: 'ClusterIssuer' };

  test('issues the certificate for the host of the entry into the Secret that is mounted', () => {
    const { objects, resource } = tenant(ControlPlanePlatform.kamaji(), [{ ...own('public'), certificate: ServingCertificate.certManager({ issuer, duration: '720h' }) }]);
    expect(objects.find(({ kind }) => kind === 'Certificate')).toMatchObject({
      metadata: { name: 'tenant-01-serving-public', namespace: 'tenants' },
      spec: { secretName: 'tenant-01-serving-public', dnsNames: ['public.example.net'], issuerRef: { ...issuer, group: 'cert-manager.io' }, duration: '720h', usages: ['digital signature', 'server auth'] },
    });
    expect(apiServerCertificatesOf(resource)).toEqual([expect.objectContaining({ secretName: 'tenant-01-serving-public' })]);
  });

  test.each<[string, object]>([
    ['certificate.issuer', {}],
    ['certificate.issuer.name', { issuer: { name: 'Not A Name' } }],
    ['certificate.duration', { issuer, duration: '10m' }],
  ])('is refused by %s', (field, props) => {
    expect(() => ServingCertificate.certManager(props as any)).toThrow(new RegExp(`^ServingCertificate\\.certManager: ${field.replace(/\./g, '\\.')}: .+`));
  });

  test('keeps the Secret of another control plane away', () => {
    const chart = new Chart(new App(), 'management');
    const make = (id: string, secret?: string) => new IngressExposedControlPlane(chart, id, {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.kamaji(),
      controller: IngressController.traefik(),
      furtherEntries: [{ name: 'public', hostname: `${id}.example.net`, certificate: secret === undefined ? ServingCertificate.certManager({ issuer }) : ServingCertificate.existingSecret(secret) }],
    });
    make('tenant-01');
    make('tenant-02');
    expect(chart.node.root.node.validate()).toEqual([]);
  });
});
