import * as fc from 'fast-check';
import { ConfigurationError } from '../../cli/configuration';
import { projectOf } from '../src/project';
import { settingsOf } from '../src/settings';

test('what is not said is the first possible choice', () => {
  expect(settingsOf({ domain: 'example.com' })).toMatchObject({
    platform: { name: 'steward' },
    controller: { name: 'traefik' },
    delivery: { name: 'sync' },
    language: 'typescript',
    tenant: 'tenant-01',
    namespace: 'tenants',
    apiHost: 'tenant-01.k8s.example.com',
  });
  expect(settingsOf({ platform: 'hypershift', domain: 'example.com' })).toMatchObject({ controller: { name: 'shared-gateway' }, delivery: { name: 'manifests' } });
});

test.each<[object, string]>([
  [{}, '--domain is missing: give the domain that the hosts of control planes end with, like example.com'],
  [{ domain: 'https://example.com' }, '--domain: "https://example.com" is a URL. Give the host alone: "example.com".'],
  [{ domain: 'Example.com' }, 'Write "example.com"'],
  [{ domain: 'x'.repeat(64) }, 'DNS allows 63'],
  [{ domain: 'example.com', tenant: '01' }, '--tenant: "01" is not a valid name'],
  [{ domain: 'example.com', platform: 'kamaji', tenant: 'a'.repeat(40), namespace: 'b'.repeat(40) }, 'DNS allows 63'],
  [{ domain: 'example.com', namespace: 'a/b' }, '--namespace: "a/b" is not a valid name'],
  [{ domain: 'example.com', platform: 'gardener' }, '--platform "gardener": is not known, choose steward, kamaji, kamaji-capi, k0smotron, k0smotron-capi or hypershift'],
  [{ domain: 'example.com', language: 'rust' }, '--language "rust": is not known, choose typescript, python, go or java'],
  [{ domain: 'example.com', platform: 'hypershift', controller: 'traefik' },
    '--controller "traefik": HyperShift needs a port of the shared address for each tenant, which leads to another namespace; choose shared-gateway, gateway-api or kgateway'],
  [{ domain: 'example.com', platform: 'hypershift', delivery: 'sync' }, 'HyperShift brings its own proxy, so nothing is taken to tenants; choose manifests'],
  [{ domain: 'example.com', delivery: 'cluster-resource-set' }, 'Steward has no Cluster of Cluster API that a ClusterResourceSet could select; choose sync, flux, argocd or manifests'],
  [{ domain: 'example.com', delivery: 'argocd' }, '--repo-url is missing'],
  [{ domain: 'example.com', delivery: 'argocd', repoUrl: 'git.example.com' }, '--repo-url: "git.example.com" is not a URL. Write "https://host/path" (or http, ssh)'],
  [{ domain: 'example.com', delivery: 'argocd', repoUrl: 'git@git.example.com' }, '--repo-url: "git@git.example.com" is not a URL'],
  [{ domain: '203.0.113.4' }, '--domain: "203.0.113.4" is an IP address. Give a DNS name'],
  [{ domain: 'example.com', repoUrl: 'https://git.example.com' }, '--repo-url is what Argo CD reads: leave it out, or choose argocd as --delivery'],
  [{ domain: 'example.com', gatewayClass: 'eg' }, '--gateway-class is of a Gateway, which Traefik has none of: leave it out, or choose gateway-api or kgateway as --controller'],
])('%j is told', (answers, message) => {
  expect(() => settingsOf(answers)).toThrow(ConfigurationError);
  expect(() => settingsOf(answers)).toThrow(message);
});

const WORD = fc.string({ unit: fc.constantFrom('a', '1', '-', '.', '"', "'", '`', '\\', '\n', '$', '{', '}', '<', '#', 'é', '😀') });

test('no domain, name or namespace that is taken has anything in it that a file could read otherwise', () => {
  fc.assert(fc.property(WORD, WORD, WORD, (domain, tenant, namespace) => {
    let settings;
    try {
      settings = settingsOf({ domain, tenant, namespace });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError);
      return;
    }
    expect([settings.domain, settings.tenant, settings.namespace].join('')).toMatch(/^[a-z0-9.-]+$/);
  }), { numRuns: 500 });
});

test.each(['https://git.example.com/platform.git', 'ssh://git@git.example.com:2222/platform.git', 'git@git.example.com:team/platform.git'])('Argo CD may read %s', repoUrl => {
  expect(settingsOf({ domain: 'example.com', delivery: 'argocd', repoUrl }).repoUrl).toBe(repoUrl);
});

test('a URL that could end a text is one text in every language', () => {
  const repoUrl = 'https://git.example.com/\'"`${x}\\u0022{{a}}/é';
  for (const language of ['typescript', 'python', 'go', 'java']) {
    const files = projectOf(settingsOf({ domain: 'example.com', delivery: 'argocd', repoUrl, language }));
    const holding = Object.entries(files).filter(([, content]) => content.includes('{{a}}'));
    expect(holding).toHaveLength(1);
    expect(holding[0][1]).toMatch(/\\u0?0?e9/);
  }
});

test.each(['typescript', 'python', 'go', 'java'])('the README of a project in %s explains it in ten lines', language => {
  const { 'README.md': readme } = projectOf(settingsOf({ domain: 'example.com', language }));
  expect(readme.split('\n').filter(line => line !== '').length).toBeLessThanOrEqual(10);
});
