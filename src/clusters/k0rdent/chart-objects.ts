import type { OperatorObject } from '../../platforms/control-plane-platform';
import { k0smotronObjects } from '../../platforms/k0smotron/k0smotron-objects';
import { K0smotronServiceType } from '../../platforms/k0smotron/k0smotron-props';

/** What the chart `hetzner-hosted-cp` 1.2 makes of values, from its templates, and k0smotron of that. */
export function hostedHetznerObjects(name: string, { controlPlane }: { [name: string]: any }): OperatorObject[] {
  const ingress = Boolean(controlPlane?.ingress?.apiHost);
  return [
    { kind: 'Cluster', group: 'cluster.x-k8s.io', name },
    { kind: 'K0smotronControlPlane', group: 'controlplane.cluster.x-k8s.io', name: `${name}-cp` },
    { kind: 'HetznerCluster', group: 'infrastructure.cluster.x-k8s.io', name },
    { kind: 'HCloudMachineTemplate', group: 'infrastructure.cluster.x-k8s.io', name: `${name}-worker-mt` },
    { kind: 'K0sWorkerConfigTemplate', group: 'bootstrap.cluster.x-k8s.io', name: `${name}-machine-config` },
    { kind: 'MachineDeployment', group: 'cluster.x-k8s.io', name: `${name}-md` },
    ...k0smotronObjects(name, {}, {
      serviceType: controlPlane?.service?.type ?? K0smotronServiceType.LOAD_BALANCER, ingress, deploysIngress: ingress, standalone: false,
    }),
  ];
}
