import { LiveFacts } from '../../src/report-page/live-facts';
import { PageControlPlane, PageDocument } from '../../src/report-page/page-document';

/** A control plane with everything that a page shows; every text of it comes from one place. */
export function controlPlane(name: string, text: (what: string) => string = what => what): PageControlPlane {
  return {
    name,
    namespace: text('team-a'),
    platform: text('Kamaji'),
    kubernetesVersion: text('1.34.3'),
    replicas: 2,
    controller: text('traefik'),
    kubeconfigServer: text(`https://${name}.k8s.example.com:443`),
    clusterId: text('c0ffee'),
    routes: [
      {
        name: text('kube-apiserver'),
        hostname: text(`${name}.k8s.example.com`),
        foundBy: 'sni',
        port: 443,
        serviceNamespace: text('team-a'),
        serviceName: text(name),
        servicePort: 6443,
      },
      { name: text('konnectivity-server'), hostname: text(`${name}.konnectivity.example.com`), foundBy: text('sni'), port: 443 },
    ],
    certSans: [text(`${name}.k8s.example.com`), text('10.96.0.1')],
    nodes: text('konnectivity'),
    kubernetesService: {
      way: text('tcp-proxy'),
      description: text('a tcp-proxy in the tenant (sni)'),
      endpoints: [text('203.0.113.10:443')],
      opensTls: true,
      clientCertificates: false,
      apiServerKeys: text('the API server'),
    },
    tcpProxy: {
      name: text('tcp-proxy'),
      namespace: text('kube-system'),
      placement: text('replicas'),
      replicas: 2,
      upstream: text('sni'),
      upstreamHost: text(`${name}.k8s.example.com`),
      upstreamPort: 443,
      certificate: text('issuedBySync()'),
    },
  };
}

/** A whole document. */
export function pageDocument(names: string[], text: (what: string) => string = what => what): PageDocument {
  return {
    title: text('Control planes'),
    sharedAddresses: [text('203.0.113.10'), text('2001:db8::10')],
    controlPlanes: names.map(name => controlPlane(name, text)),
    dnsRecords: [{ name: text('a.example.com'), type: text('A'), value: text('203.0.113.10') }],
    wildcardDnsRecords: [{ name: text('*.example.com'), type: text('A'), value: text('203.0.113.10') }],
    ports: [{ from: text('workers'), to: text('shared address'), port: 443, purposes: [text('kubelet')], controlPlanes: [text('team-a/a')] }],
    prerequisites: [
      { kind: 'API', apiVersion: text('kamaji.clastix.io/v1alpha1'), name: text('TenantControlPlane'), reason: text('is served'), clusters: [text('management')] },
      { kind: text('Secret'), namespace: text('team-a'), name: text('pull'), reason: text('is there'), clusters: [text('management')] },
    ],
    costs: {
      currency: text('EUR'),
      loadBalancerPerTenant: 6.39,
      sharedEdge: 20,
      breakEvenTenants: 4,
      comparisons: [{ tenants: 100, loadBalancers: 639, sharedEdge: 20, savings: 619 }],
    },
  };
}

/** What was seen of these tenants: certificates that end one day after the other, the first tomorrow. */
export function liveFacts(names: string[], text: (what: string) => string = what => what): LiveFacts {
  const at = '2026-11-28T12:00:00Z';
  return {
    at,
    tenants: names.map((name, i) => ({
      namespace: text('team-a'),
      name,
      healthy: i > 0,
      summary: text('Broken at dns.'),
      faults: i > 0 ? [] : [{ hop: text('dns'), status: text('failed'), detail: text('no record'), remedy: text('create one') }],
      certificates: [{ of: text('API server'), validUntil: new Date(Date.parse(at) + (i + 1) * 86_400_000).toISOString(), trusted: i % 2 === 0 }],
      readyReplicas: i,
    })),
  };
}
