// One cluster on Hetzner Cloud, deployed by k0rdent from its template with a hosted control plane.
import { App, Chart } from 'cdk8s';
import { HetznerAccess, HetznerRegion, IngressController, K0rdentClusterDeployment, K0rdentConfig, K0sNetworkProvider } from 'cdk8s-hosted-control-plane';

export const app = new App();

new K0rdentClusterDeployment(new Chart(app, 'management'), 'cluster01', {
  template: 'hetzner-hosted-cp-1-2-0',
  credential: 'hcloud-cluster-provisioning',
  config: K0rdentConfig.hostedHetzner({
    k0sVersion: 'v1.35.6+k0s.0',
    access: HetznerAccess.ingress({
      controller: IngressController.haproxy(),
      hostname: 'api.cluster01.k0s.example.com',
      konnectivityHostname: 'konnectivity.cluster01.k0s.example.com',
    }),
    region: HetznerRegion.NBG1,
    workers: { replicas: 2, type: 'cpx22', image: 'ubuntu-24.04' },
    sshKeyNames: ['ops@example'],
    tokenSecret: { name: 'hcloud-cluster-provisioning-token', key: 'HCLOUD_TOKEN' },
    privateNetwork: { cidr: '10.0.0.0/16', subnetCidr: '10.0.0.0/24' },
    networkProvider: K0sNetworkProvider.CUSTOM,
  }),
});

app.synth();
