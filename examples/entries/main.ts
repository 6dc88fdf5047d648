// A tenant on Kamaji at several addresses: a private one for its nodes, a public one, and a host of the customer's with a certificate that
// browsers trust. Konnectivity has a controller of its own. What comes or goes here changes nothing of the main entry.
import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, DnsTarget, ExposureReport, ExternalDnsEndpoint, HostOwnershipPolicy, IngressController, IngressExposedControlPlane,
  KubernetesServicePath, ServingCertificate, SharedIngressGateway, TenantDns,
} from 'cdk8s-hosted-control-plane';

export const app = new App();
const management = new Chart(app, 'management');

const inside = new SharedIngressGateway(management, 'private', { namespace: 'edge' });
const outside = IngressController.traefik();

const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
  namespace: 'tenants',
  kubernetesVersion: '1.35.6',
  hostname: 'tenant-01.k8s.internal.example.com',
  platform: ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} }),
  kubernetesService: KubernetesServicePath.none({ reason: 'pods of this tenant ask no API server' }),

  // The main entry: kubelets, tcp-proxies and kubeconfigs.
  controller: inside.asController(),
  allowedCidrs: ['10.0.0.0/8'],

  konnectivity: { hostname: 'tenant-01.konnectivity.example.com', controller: outside, allowedCidrs: ['10.0.0.0/8', '203.0.113.0/24'] },

  furtherEntries: [
    { name: 'public', hostname: 'tenant-01.k8s.example.com', controller: outside },
    {
      name: 'customer',
      hostname: 'clusters.customer.example',
      controller: outside,
      certificate: ServingCertificate.certManager({ issuer: { kind: 'ClusterIssuer', name: 'letsencrypt' } }),
    },
  ],
});

// Nobody else in the management cluster takes a host of theirs, whatever they write.
new HostOwnershipPolicy(management, 'hosts', {
  namespace: 'host-policy',
  exposures: [controlPlane.exposure],
  domains: [{ domain: 'example.com' }],
  trustedNamespaces: ['external-dns'],
});

const [privateAddress, publicAddress] = ['10.0.0.10', '203.0.113.10'];
const dns = new TenantDns({
  exposures: [controlPlane.exposure],
  zones: ['example.com', 'customer.example'],
  target: DnsTarget.addresses([privateAddress]),
  entryTargets: {
    konnectivity: DnsTarget.addresses([publicAddress]),
    public: DnsTarget.addresses([publicAddress]),
    customer: DnsTarget.addresses([publicAddress]),
  },
});
new ExternalDnsEndpoint(management, 'dns', { dns, namespace: 'external-dns' });

new ExposureReport(app, 'report', {
  sharedAddresses: [privateAddress],
  entryAddresses: { konnectivity: [publicAddress], public: [publicAddress], customer: [publicAddress] },
});

app.synth();
