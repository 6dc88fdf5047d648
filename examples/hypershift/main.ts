// Two hosted clusters of HyperShift on an OpenShift management cluster, behind one shared address. The API server of each has
// a port there, as the proxies on HyperShift's nodes connect without a host name; the other services share 443 by their hosts.
import { App, Chart } from 'cdk8s';
import { ControlPlanePlatform, ExposureReport, IngressExposedControlPlane, SharedIngressGateway } from 'cdk8s-hosted-control-plane';

export const app = new App();
const management = new Chart(app, 'management');

const gateway = new SharedIngressGateway(management, 'shared-ingress', {
  namespace: 'shared-ingress',
  // Kubernetes gives none of these node ports to a Service that asks for any.
  portRange: { first: 30000, last: 30085 },
  // No node of HyperShift sends a cluster ID, except on ARO HCP.
  clusterIdRouting: false,
});

const tenants = [
  { name: 'tenant-01', port: 30001 },
  { name: 'tenant-02', port: 30002, allowedCidrs: ['203.0.113.0/24', '2001:db8:113::/48'] },
];
for (const { name, port, allowedCidrs } of tenants) {
  new IngressExposedControlPlane(management, name, {
    namespace: 'clusters',
    kubernetesVersion: '1.33.0', // The release image decides.
    domain: 'example.com',
    port,
    konnectivity: {},
    allowedCidrs,
    network: { serviceCidrs: ['172.31.0.0/16'], podCidrs: ['10.132.0.0/14'] },
    platform: ControlPlanePlatform.hypershift({
      releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64',
      pullSecretName: 'pull-secret',
      sshKeyName: 'ssh-key',
      baseDomain: 'example.com',
      platform: { type: 'Agent', agent: { agentNamespace: 'agents' } },
    }),
    controller: gateway.asController(),
  });
}
new ExposureReport(app, 'report', { sharedAddresses: ['203.0.113.10'] });

app.synth();
