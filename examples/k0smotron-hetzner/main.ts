// Clusters with hosted control planes and workers on Hetzner Cloud, through Cluster API: one for each way in which
// workers may reach their control plane.
import { App, Chart } from 'cdk8s';
import { HetznerAccess, HetznerHostedCluster, HetznerRegion, IngressController, K0sNetworkProvider } from 'cdk8s-hosted-control-plane';

export const app = new App();
const management = new Chart(app, 'management');

const common = {
  namespace: 'clusters',
  k0sVersion: 'v1.35.6+k0s.0',
  region: HetznerRegion.NBG1,
  workers: { replicas: 2, type: 'cpx22', image: 'ubuntu-24.04' },
  sshKeyNames: ['ops@example'],
};

// Through the shared address: no further cost.
const cluster = new HetznerHostedCluster(management, 'cluster01', {
  ...common,
  access: HetznerAccess.ingress({
    controller: IngressController.haproxy(),
    hostname: 'api.cluster01.k0s.example.com',
    konnectivityHostname: 'konnectivity.cluster01.k0s.example.com',
  }),
  privateNetwork: {},
});
cluster.addWorkerPool('large', { replicas: 1, type: 'cpx42', placementGroup: 'large' });

// With Traefik, k0smotron's Ingress would not pass TLS through: the routes are this library's.
new HetznerHostedCluster(management, 'cluster02', {
  ...common,
  access: HetznerAccess.ingress({ controller: IngressController.traefik({ entryPoint: 'websecure' }), domain: 'example.com' }),
});

// With a load balancer for the cluster alone.
new HetznerHostedCluster(management, 'cluster03', {
  ...common,
  access: HetznerAccess.loadBalancer(),
  networkProvider: K0sNetworkProvider.CALICO,
});

// On ports of the management cluster's nodes.
new HetznerHostedCluster(management, 'cluster04', {
  ...common,
  access: HetznerAccess.nodePort({ host: '203.0.113.20' }),
  controlPlane: { apiPort: 31443, konnectivityPort: 31132 },
});

app.synth();
