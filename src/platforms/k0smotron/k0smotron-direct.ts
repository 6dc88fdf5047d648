import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { K0sVersion } from './k0s-version';
import { k0sNetwork } from './k0smotron-config';
import { K0smotronApiVersion, K0smotronProps, K0smotronServiceType } from './k0smotron-props';
import { k0smotronSpec } from './k0smotron-spec';
import { validateK0smotron, warnOfLongName, warnOfNodePorts, warnOfPrivilegedPort } from './k0smotron-validation';
import { Exposure } from '../../model/exposure';
import { deepCopy } from '../../objects/deep-copy';
import { placed } from '../../validation/invalid-input';
import { KUBERNETES_UNDER_K0SMOTRON } from '../../versions/k0s';
import { checkVersion } from '../../versions/version-facts';

/** A K0smotronControlPlane that is reached without a shared address. */
export interface K0smotronDirectControlPlaneProps {
  /** Name of the Cluster API Cluster. */
  readonly cluster: string;
  readonly metadata: ApiObjectMetadata;
  readonly k0sVersion: K0sVersion;
  readonly network: Pick<Exposure, 'serviceCidrs' | 'podCidrs' | 'clusterDomain' | 'dnsServiceIps'>;
  readonly serviceType: K0smotronServiceType;
  readonly controlPlane: K0smotronProps;
  /** Address of the nodes; a load balancer's is found by k0smotron. */
  readonly externalAddress?: string;
  readonly serviceAnnotations?: { [name: string]: string };
}

/**
 * A K0smotronControlPlane with a load balancer or node ports of its own. There is no SNI on the way, so k0smotron
 * brings no tcp-proxy, and k0s publishes the address in `default/kubernetes` itself.
 */
export class K0smotronDirectControlPlane extends Construct {
  /** The custom resource. */
  public readonly object: ApiObject;

  public constructor(scope: Construct, id: string, props: K0smotronDirectControlPlaneProps) {
    super(scope, id);
    try {
      const controlPlane = deepCopy(props.controlPlane);
      validateK0smotron(controlPlane);
      // Without an ingress no release is too old for one.
      checkVersion(this, 'k0sVersion', props.k0sVersion.kubernetes, { ...KUBERNETES_UNDER_K0SMOTRON, known: [] }, controlPlane.newestKubernetesVersion);
      warnOfLongName(this, props.cluster, controlPlane);
      warnOfPrivilegedPort(this, controlPlane);
      if (props.serviceType === K0smotronServiceType.NODE_PORT) {
        warnOfNodePorts(this, controlPlane);
      }
      this.object = new ApiObject(this, 'Resource', {
        apiVersion: `controlplane.cluster.x-k8s.io/${controlPlane.apiVersion ?? K0smotronApiVersion.V1BETA2}`,
        kind: 'K0smotronControlPlane',
        metadata: props.metadata,
        spec: k0smotronSpec(controlPlane, {
          version: props.k0sVersion.toString(),
          // Pods see this certificate, and k0s before 1.35.6 and 1.36.2 leaves this name out.
          k0s: { network: k0sNetwork(props.network), certSans: [`kubernetes.default.svc.${props.network.clusterDomain}`], anonymousHealth: false },
          serviceType: props.serviceType,
          externalAddress: props.externalAddress,
          serviceAnnotations: props.serviceAnnotations,
        }),
      });
    } catch (error) {
      throw placed(this, error);
    }
  }
}
