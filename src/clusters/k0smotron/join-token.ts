import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { k0smotronClusterOf } from './cluster';
import { A_CONTROL_PLANE } from '../../control-plane/control-plane-checks';
import { IHostedControlPlane } from '../../control-plane/hosted-control-plane';
import { K0smotronApiVersion } from '../../platforms/k0smotron/k0smotron-props';
import { claimObject, claimObjectName } from '../../synthesis/object-claims';
import { invalidInput, placed } from '../../validation/invalid-input';
import { validateDns1123Label } from '../../validation/name';
import { Checks, checkProps, oneOf, optional } from '../../validation/props';
import { required } from '../../validation/required';
import { validateText } from '../../validation/text';

/** A token with which workers join. */
export interface K0smotronJoinTokenProps {
  /** The control plane, of the platform `k0smotron`. */
  readonly controlPlane: IHostedControlPlane;
  /**
   * Name of the request, and of the Secret that k0smotron writes the token into, under the key `token`.
   * @default - `<control plane>-worker-token`
   */
  readonly name?: string;
  /**
   * How long the token is valid, e.g. `24h` or `90m`; `0s` is for ever.
   * @default 24h
   */
  readonly expiry?: string;
  /**
   * Version of the custom resource.
   * @default - that of the control plane
   */
  readonly apiVersion?: K0smotronApiVersion;
}

const CHECKS: Checks<K0smotronJoinTokenProps> = {
  controlPlane: A_CONTROL_PLANE,
  name: optional(validateDns1123Label),
  expiry: optional(validateExpiry),
  apiVersion: optional(oneOf(K0smotronApiVersion)),
};

/** `k0smotron.io` JoinTokenRequest, in the namespace of the control plane. */
export class K0smotronJoinToken extends Construct {
  /** Name of the Secret with the token. */
  public readonly secretName: string;
  /** The JoinTokenRequest. */
  public readonly request: ApiObject;

  public constructor(scope: Construct, id: string, props: K0smotronJoinTokenProps) {
    super(scope, id);
    try {
      const cluster = k0smotronClusterOf(checkProps('', required('props', props, 'Give controlPlane'), CHECKS).controlPlane);
      const { name, namespace } = props.controlPlane.exposure;
      const apiVersion = props.apiVersion ?? cluster.apiVersion;
      const expiry = props.expiry ?? '24h';
      this.secretName = validateDns1123Label('name', props.name ?? `${name}-worker-token`);
      this.request = new ApiObject(this, 'Resource', {
        apiVersion: `k0smotron.io/${apiVersion}`,
        kind: 'JoinTokenRequest',
        metadata: { name: this.secretName, namespace },
        spec: {
          ...apiVersion === K0smotronApiVersion.V1BETA1 ? { clusterRef: { name, namespace } } : { clusterName: name },
          expiry,
          role: 'worker',
        },
      });
      claimObject(this, this.request, props.controlPlane.managementCluster);
      claimObjectName(this, { kind: 'Secret', group: '', namespace, name: this.secretName }, props.controlPlane.managementCluster);
    } catch (error) {
      throw placed(this, error);
    }
  }
}

function validateExpiry(field: string, expiry: string): void {
  if (!/^(\d{1,9}(\.\d{1,9})?[hms]){1,3}$/.test(validateText(field, expiry))) {
    throw invalidInput(field, expiry, 'is not a duration', 'Give hours, minutes and seconds, e.g. "24h"');
  }
}
