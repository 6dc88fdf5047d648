import { Construct } from 'constructs';
import { PlatformDefaults } from '../control-plane-platform';
import { K0smotronIngressPlatform, K0smotronResource } from './k0smotron';
import { K0SMOTRON_CONTROL_PLANE } from './k0smotron-checks';
import { K0smotronApiVersion, K0smotronControlPlaneProps } from './k0smotron-props';
import { Exposure } from '../../model/exposure';

/**
 * `controlplane.cluster.x-k8s.io` K0smotronControlPlane: a control plane whose workers are Cluster API's.
 *
 * The control plane must have the name of the Cluster API Cluster that refers to it: k0smotron makes a Cluster of its
 * own with that name, and calls all objects after it. That Cluster gets none of the labels here, and what k0smotron
 * writes back goes there.
 */
export class K0smotronControlPlanePlatform extends K0smotronIngressPlatform {
  /** @internal */
  protected declare readonly _props: K0smotronControlPlaneProps;
  public readonly type: string = 'k0smotron-control-plane';
  /** @internal */
  protected readonly _isStandalone = false;

  public constructor(props: K0smotronControlPlaneProps = {}) {
    super(props, K0SMOTRON_CONTROL_PLANE);
  }

  public override defaults(name: string, namespace: string): PlatformDefaults {
    return { ...super.defaults(name, namespace), clusterApiCluster: name };
  }

  /** @internal */
  protected _resource(_scope: Construct, exposure: Exposure, apiVersion: K0smotronApiVersion): K0smotronResource {
    return {
      apiVersion: `controlplane.cluster.x-k8s.io/${apiVersion}`,
      kind: 'K0smotronControlPlane',
      name: this._props.controlPlaneName ?? `${exposure.name}-cp`,
    };
  }
}
