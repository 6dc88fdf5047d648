import * as fc from 'fast-check';
import { readDocuments } from '../../../cli/documents';
import { Finding } from '../../src/manifests/check';
import { targetsAmong } from '../../src/manifests/target';
import { check, checkFiles, withFolder } from '../support/manifests';

/** Of a kind that nobody knows, as a person could write it, too. */
const DESCRIPTION = {
  version: 1,
  platform: 'acme-cloud',
  routes: [
    { name: 'kube-apiserver', host: 'acme.k8s.example.com', port: 443, namespace: 'tenants', service: 'acme-api', servicePort: 6443 },
    { name: 'konnectivity-server', host: 'acme.konnectivity.example.com', port: 443, namespace: 'tenants', service: 'acme-konnectivity', servicePort: 8132 },
  ],
};

interface Resource {
  readonly description?: unknown;
  readonly spec?: unknown;
}

function resource({ description = DESCRIPTION, spec = {} }: Resource = {}): any {
  return {
    apiVersion: 'cloud.example.org/v1',
    kind: 'HostedApi',
    metadata: {
      name: 'acme',
      namespace: 'tenants',
      annotations: { 'cdk8s-hosted-control-plane/description': typeof description === 'string' ? description : JSON.stringify(description) },
    },
    spec,
  };
}

function route(name: string, host: string, service: string, port: number): any {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'tenants', annotations: { 'haproxy.org/ssl-passthrough': 'true' } },
    spec: { ingressClassName: 'haproxy', rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: service, port: { number: port } } } }] } }] },
  };
}

const ROUTES = [
  route('api', 'acme.k8s.example.com', 'acme-api', 6443),
  route('konnectivity', 'acme.konnectivity.example.com', 'acme-konnectivity', 8132),
];

function findings(...objects: any[]): Finding[] {
  return check(objects.map(object => JSON.stringify(object)).join('\n---\n'));
}

const codes = (...objects: any[]) => findings(...objects).map(({ code }) => code);
const described = (change: object) => resource({ description: { ...DESCRIPTION, ...change } });

describe('a control plane that describes itself', () => {
  test('is compared with its routes', () => {
    expect(codes(resource(), ...ROUTES)).toEqual([]);
    expect(codes(resource(), ROUTES[0])).toEqual(['HCP202']);
    expect(codes(resource(), ROUTES[0], route('konnectivity', 'acme.konnectivity.example.com', 'acme-api', 6443))).toEqual(['HCP203']);
    expect(codes(resource(), ROUTES[0], route('konnectivity', 'acme.konnectivity.example.com', 'acme-konnectivity', 6443))).toEqual(['HCP204']);
  });

  test('does not count as the route of its own host', () => {
    expect(codes(resource({ spec: { host: 'acme.k8s.example.com' } }), ROUTES[1])).toEqual(['HCP201']);
  });

  test('tells further servers, and routes that its operator makes', () => {
    const trustd = { name: 'trustd', host: 'acme.trustd.example.com', port: 443, namespace: 'tenants', service: 'trustd', servicePort: 50001 };
    expect(codes(described({ routes: [...DESCRIPTION.routes, trustd] }), ...ROUTES)).toEqual(['HCP211']);
    expect(codes(described({ routes: [...DESCRIPTION.routes, { ...trustd, byOperator: true }] }), ...ROUTES)).toEqual([]);
    expect(codes(described({ routes: DESCRIPTION.routes.map(each => ({ ...each, byOperator: true })) }))).toEqual([]);
  });

  test('needs no route where it has an address of its own', () => {
    const [api, konnectivity] = DESCRIPTION.routes;
    expect(codes(described({ routes: [{ ...api, ownAddress: true }, konnectivity] }), ROUTES[1])).toEqual([]);
  });

  test('is a target of the doctor', () => {
    withFolder({ 'a.yaml': JSON.stringify(resource()) }, folder => expect(targetsAmong(readDocuments([folder]).sources).reachable[0]).toMatchObject({
      host: 'acme.k8s.example.com', port: 443, byPort: false, konnectivity: { host: 'acme.konnectivity.example.com', port: 443 },
    }));
  });

  test('says nothing of a tcp-proxy whose flags it does not show', () => {
    const proxy = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'tcp-proxy', namespace: 'kube-system' },
      data: {
        'haproxy.cfg': 'defaults\n  timeout tunnel 24h\nbackend b\n  server upstream acme.k8s.example.com:443 ssl verify required ca-file /ca.crt '
          + 'sni str(acme.k8s.example.com) verifyhost acme.k8s.example.com\n',
      },
    };
    expect(codes(resource(), ...ROUTES, proxy)).toEqual([]);
    const args = resource({ description: { ...DESCRIPTION, paths: { apiServerArgs: 'spec.args' } }, spec: { args: ['--v=2'] } });
    expect(codes(args, ...ROUTES, proxy)).toEqual(['HCP601']);
    expect(codes(described({ bringsTcpProxy: true }), ...ROUTES, proxy)).toEqual(['HCP606']);
  });
});

describe('paths of a description', () => {
  const paths = {
    apiHost: 'spec.api.host', konnectivityHost: 'spec.konnectivity.0.host', certSans: 'spec.sans', apiServerArgs: 'spec.flags', advertiseAddress: 'spec.advertise',
  };
  const spec = {
    api: { host: 'acme.k8s.example.com:443' },
    konnectivity: [{ host: 'acme.konnectivity.example.com' }],
    sans: ['acme.k8s.example.com', 'acme.konnectivity.example.com'],
    flags: { 'endpoint-reconciler-type': 'lease' },
  };
  const at = (change: object, of: object = paths) => resource({ description: { ...DESCRIPTION, paths: of }, spec: { ...spec, ...change } });

  test('lead to what is compared', () => {
    expect(codes(at({}), ...ROUTES)).toEqual([]);
    expect(findings(at({ api: { host: 'new.k8s.example.com' } }), ...ROUTES).map(({ code, field }) => [code, field])).toEqual(expect.arrayContaining([
      ['HCP201', 'spec.api.host'], ['HCP501', 'spec.sans'],
    ]));
    expect(codes(at({ sans: ['acme.k8s.example.com'] }), ...ROUTES)).toEqual(['HCP502']);
    expect(codes(at({ advertise: '127.0.0.1' }), ...ROUTES)).toEqual(['HCP604']);
    expect(codes(at({ flags: ['--endpoint-reconciler-type=none', '--endpoint-reconciler-type=lease'] }), ...ROUTES)).toContain('HCP603');
  });

  test.each<[string, object, string, string]>([
    ['no host', { api: {} }, 'spec.api.host', 'is not there, and metadata.annotations["cdk8s-hosted-control-plane/description"] says that it is a host (apiHost)'],
    ['no text', { api: { host: 7 } }, 'spec.api.host', 'is not a host'],
    ['no list', { sans: 'acme.k8s.example.com' }, 'spec.sans', 'is not a list of texts'],
    ['a list of numbers', { sans: [1] }, 'spec.sans', 'is not a list of texts'],
    ['neither a list nor a map', { flags: 'x' }, 'spec.flags', 'is not a list of texts, or a map'],
    ['no address', { advertise: ['10.0.0.1'] }, 'spec.advertise', 'is not a text'],
  ])('that lead to %s are a finding', (_, change, field, message) => {
    const found = findings(at(change), ...ROUTES).filter(({ code }) => code === 'HCP003');
    expect(found.map(finding => finding.field)).toEqual([field]);
    expect(found[0].message).toContain(message);
  });

  test('of lists and addresses may lead to nothing', () => {
    expect(codes(at({ sans: undefined, flags: undefined }, { apiServerArgs: 'spec.flags', advertiseAddress: 'spec.advertise' }), ...ROUTES)).toEqual([]);
    expect(codes(at({ sans: undefined }), ...ROUTES)).toEqual(['HCP501', 'HCP502']);
  });
});

describe('a description that cannot be read is a finding, and no success', () => {
  const [api] = DESCRIPTION.routes;
  test.each<[string, unknown, string]>([
    ['broken JSON', '{', 'is no JSON'],
    ['nothing', '', 'is no JSON'],
    ['null', 'null', 'has version undefined'],
    ['a list', '[]', 'has version undefined'],
    ['a newer version', { ...DESCRIPTION, version: 2 }, 'has version 2; what is known here is 1'],
    ['no routes', { ...DESCRIPTION, routes: undefined }, 'has no route kube-apiserver'],
    ['a route without a Service', { ...DESCRIPTION, routes: [api, { ...api, name: 'x', service: undefined }] }, 'has routes[1] without'],
    ['a route with a port in quotes', { ...DESCRIPTION, routes: [{ ...api, port: '443' }] }, 'has routes[0] without'],
    ['an unknown path', { ...DESCRIPTION, paths: { host: 'spec.host' } }, 'has paths.host, which is not known here'],
    ['a path of an inherited name', { ...DESCRIPTION, paths: { toString: 'spec.host' } }, 'has paths.toString, which is not known here'],
    ['a path that is no text', { ...DESCRIPTION, paths: { apiHost: 1 } }, 'has paths.apiHost, which is not known here or no text'],
  ])('%s', (_, description, message) => {
    const found = findings(resource({ description }), ...ROUTES);
    expect(found.map(({ code }) => code)).toEqual(['HCP002', 'HCP003']);
    expect(found[1]).toMatchObject({ severity: 'error', field: 'metadata.annotations["cdk8s-hosted-control-plane/description"]', message: expect.stringContaining(message) });
  });
});

describe('a check that looked at nothing is no success', () => {
  const plain = { ...resource(), metadata: { name: 'acme', namespace: 'tenants' } };

  test.each<[string, { [file: string]: string }]>([
    ['a resource of a platform that does not describe itself', { 'a.yaml': JSON.stringify(plain) }],
    ['routes alone', { 'a.yaml': ROUTES.map(each => JSON.stringify(each)).join('\n---\n') }],
    ['a file without an object', { 'a.yaml': '' }],
    ['a kind of a control plane in a version that is not known', { 'a.yaml': 'apiVersion: k0smotron.io/v2\nkind: Cluster\nmetadata: {name: a}\n' }],
  ])('%s', (_, files) => {
    const { controlPlanes, findings: found } = checkFiles(files);
    expect(controlPlanes).toBe(0);
    expect(found).toContainEqual(expect.objectContaining({ code: 'HCP002', severity: 'error' }));
  });

  test('an empty folder is wrong usage', () => {
    expect(() => checkFiles({})).toThrow(/no \.yaml, \.yml, \.json file in there/);
  });
});

describe('whatever stands in a description', () => {
  const json = fc.jsonValue({ maxDepth: 3 });

  test('what is none gives findings, and no control plane', () => {
    fc.assert(fc.property(json, json, (description, spec) => {
      const found = codes(resource({ description: description ?? 'null', spec }));
      expect(found).toEqual(expect.arrayContaining(['HCP002', 'HCP003']));
    }), { numRuns: 60 });
  });

  test('paths and what they lead to are read, or a finding', () => {
    const key = fc.constantFrom('apiHost', 'konnectivityHost', 'certSans', 'apiServerArgs', 'advertiseAddress', 'konnectivityAgentArgs', '__proto__', 'toString');
    fc.assert(fc.property(fc.dictionary(key, fc.constantFrom('spec', 'spec.a', 'spec.a.0', 'spec.__proto__', 'spec.constructor', 'metadata')), json, (paths, a) => {
      expect(() => findings(resource({ description: { ...DESCRIPTION, paths }, spec: { a } }), ...ROUTES)).not.toThrow();
    }), { numRuns: 100 });
  });
});
