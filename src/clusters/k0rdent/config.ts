import { hostedHetznerValues, K0rdentHostedHetznerProps } from './hosted-hetzner';
import { Exposure } from '../../model/exposure';
import { deepCopy } from '../../objects/deep-copy';
import { nameFactories } from '../../validation/factories';
import { invalidInput } from '../../validation/invalid-input';
import { validateJsonObject } from '../../validation/json-value';
import { required } from '../../validation/required';

/** @internal What a configuration comes to for one ClusterDeployment. */
export interface K0rdentConfigResult {
  readonly values: { [name: string]: any };
  readonly exposure?: Exposure;
  /** The version of the chart that the values are for. */
  readonly chartVersion?: string;
  /** Ports of the management cluster's nodes that the cluster takes. */
  readonly nodePorts?: number[];
}

/** The configuration of a ClusterDeployment: the values of its template's Helm chart. */
export class K0rdentConfig {
  /**
   * For the template `hetzner-hosted-cp` 1.2: a control plane of k0smotron and workers on Hetzner Cloud. Other
   * versions of the chart have other values.
   */
  public static hostedHetzner(props: K0rdentHostedHetznerProps): K0rdentConfig {
    required('config', props, 'Give k0sVersion, access, region and workers');
    return new K0rdentConfig((name, namespace) => hostedHetznerValues(props, name, namespace));
  }

  /** For any template. For `hetzner-hosted-cp` 1.2, fields that its chart does not know or drops are errors. */
  public static values(values: { [name: string]: any }): K0rdentConfig {
    if (Object.keys(required('config', values, 'Give at least one value')).length === 0) {
      throw invalidInput('config', values, 'is empty: k0rdent would fill the template\'s defaults in and deploy nothing (dryRun)',
        'Give at least one value');
    }
    validateJsonObject('config', values);
    const copy = deepCopy(values);
    return new K0rdentConfig(() => ({ values: copy }));
  }

  private constructor(
    /** @internal */
    public readonly _bind: (name: string, namespace: string) => K0rdentConfigResult,
  ) {}
}

nameFactories(K0rdentConfig);
