import { IHostedControlPlane } from '../../control-plane/hosted-control-plane';
import { K0sVersion } from '../../platforms/k0smotron/k0s-version';
import { K0smotronApiVersion } from '../../platforms/k0smotron/k0smotron-props';
import { invalidInput } from '../../validation/invalid-input';
import { required } from '../../validation/required';

/** What workers of a k0smotron Cluster must fit. */
export interface K0smotronCluster {
  readonly apiVersion: K0smotronApiVersion;
  readonly k0sVersion: K0sVersion;
}

/** What workers of a control plane must fit; refuses one of another platform. */
export function k0smotronClusterOf(controlPlane: IHostedControlPlane): K0smotronCluster {
  const { platform, node } = required('controlPlane', controlPlane, 'Give an IngressExposedControlPlane of ControlPlanePlatform.k0smotron()');
  if (!platform) {
    throw invalidInput('platform', undefined, `is not known for ${node.path}`, 'Give it to fromAttributes(): ControlPlanePlatform.k0smotron()');
  }
  const apiVersion = platform._k0smotronClusterVersion;
  if (apiVersion === undefined) {
    throw invalidInput('controlPlane', `${node.path} of ${platform.displayName}`, 'is not a k0smotron Cluster, whose workers join so',
      'Give a control plane of ControlPlanePlatform.k0smotron(); under Cluster API workers join by themselves');
  }
  return { apiVersion, k0sVersion: K0sVersion.parse('kubernetesVersion', controlPlane.kubernetesVersion) };
}
