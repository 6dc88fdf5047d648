// Two tenants on Kamaji behind the shared gateway of this library: client certificates reach the API server from
// inside the tenants too, and tenants come and go without a reload.
import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, IngressExposedControlPlane, SharedIngressGateway, TcpProxyAddon, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream,
} from 'cdk8s-hosted-control-plane';

export const app = new App();
const management = new Chart(app, 'management');

const gateway = new SharedIngressGateway(management, 'shared-ingress', {
  namespace: 'shared-ingress',
  serviceAnnotations: { 'load-balancer.hetzner.cloud/location': 'fsn1' },
});

// A cluster ID identifies its tenant at the gateway: make one with uuidgen, and never change it.
const tenants = [
  { name: 'tenant-01', clusterId: '0f6c1fd0-6f0b-4f0e-9d25-6f2f0d8a3a01' },
  { name: 'tenant-02', clusterId: '0f6c1fd0-6f0b-4f0e-9d25-6f2f0d8a3a02', allowedCidrs: ['203.0.113.0/24', '2001:db8:113::/48'] },
];
for (const { name, clusterId, allowedCidrs } of tenants) {
  const controlPlane = new IngressExposedControlPlane(management, name, {
    namespace: 'tenants',
    kubernetesVersion: '1.35.6',
    domain: 'example.com',
    konnectivity: {},
    clusterId,
    allowedCidrs,
    platform: ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} }),
    controller: gateway.asController(),
  });
  // A proxy on every node behind an address that each node has for itself, as HyperShift does it.
  new TcpProxyAddon(new Chart(app, name), 'tcp-proxy', {
    controlPlane,
    upstream: TcpProxyUpstream.sharedGateway(gateway),
    placement: TcpProxyPlacement.everyNode(),
    endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['172.20.0.1'] }),
  });
}

app.synth();
