import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { HOSTED_HETZNER_VERSION, hostedHetznerVersion, templateWarning, validateChartValues } from './chart-fields';
import { hostedHetznerObjects } from './chart-objects';
import { K0rdentConfig } from './config';
import { recordReportedFacts } from '../../control-plane/reported-facts';
import { ClusterDeployment } from '../../imports/k0rdent.mirantis.com';
import { Exposure } from '../../model/exposure';
import { claimHost } from '../../synthesis/host-claims';
import { ManagementCluster } from '../../synthesis/management-cluster';
import { claimNodePorts } from '../../synthesis/node-port-claims';
import { claimObject, claimOperatorObjects } from '../../synthesis/object-claims';
import { Warnings } from '../../synthesis/warnings';
import { validateAnnotations } from '../../validation/annotations';
import { invalidInput, placed } from '../../validation/invalid-input';
import { validateLabels } from '../../validation/labels';
import { validateDns1035Label, validateDns1123Label } from '../../validation/name';
import { validateObjectName } from '../../validation/object-name';
import { Checks, checkProps, flag, instance, optional } from '../../validation/props';
import { required } from '../../validation/required';

/** A longer name is shortened, and the cluster is then called otherwise than the exposure says. */
const MAX_RELEASE_NAME = 53;

/** A cluster that k0rdent deploys from a template. */
export interface K0rdentClusterDeploymentProps {
  /**
   * Name: a DNS-1035 label; also the name of the Helm release and of the cluster.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * Namespace of k0rdent.
   * @default kcm-system
   */
  readonly namespace?: string;
  /** Name of the ClusterTemplate, in the same namespace. */
  readonly template: string;
  /** Name of the Credential, in the same namespace. */
  readonly credential: string;
  /** The configuration of the template. */
  readonly config: K0rdentConfig;
  /**
   * Have k0rdent check the configuration and deploy nothing.
   * @default false
   */
  readonly dryRun?: boolean;
  /**
   * Whether credentials are copied into the cluster, for its cloud controller manager.
   * @default true
   */
  readonly propagateCredentials?: boolean;
  /**
   * Whether k0rdent removes what the cluster's Services and volumes made in the cloud when it is deleted.
   * @default - k0rdent's
   */
  readonly cleanupOnDeletion?: boolean;
  /**
   * Labels.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
  /**
   * Annotations.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
}

const CHECKS: Checks<K0rdentClusterDeploymentProps> = {
  name: optional(validateDns1035Label),
  namespace: optional(validateDns1123Label),
  template: validateObjectName,
  credential: validateObjectName,
  config: instance<K0rdentConfig>('Give one, e.g. K0rdentConfig.values({ … })', '_bind'),
  dryRun: optional(flag),
  propagateCredentials: optional(flag),
  cleanupOnDeletion: optional(flag),
  labels: optional(validateLabels),
  annotations: optional(validateAnnotations),
};

/**
 * `k0rdent.mirantis.com` ClusterDeployment. Belongs into a chart for the management cluster.
 *
 * @example
 * new K0rdentClusterDeployment(management, 'cluster01', {
 *   template: 'hetzner-hosted-cp-1-2-0',
 *   credential: 'hcloud-cluster-provisioning',
 *   config: K0rdentConfig.hostedHetzner({
 *     k0sVersion: 'v1.35.6+k0s.0',
 *     access: HetznerAccess.ingress({ controller: IngressController.haproxy(), domain: 'example.com' }),
 *     region: HetznerRegion.NBG1,
 *     workers: { replicas: 2, type: 'cpx22', image: 'ubuntu-24.04' },
 *     sshKeyNames: ['ops@example'],
 *   }),
 * });
 */
export class K0rdentClusterDeployment extends Construct {
  /** The ClusterDeployment. */
  public readonly clusterDeployment: ApiObject;
  /** How the control plane is reached; known for typed configurations with a shared address. */
  public readonly exposure?: Exposure;

  public constructor(scope: Construct, id: string, props: K0rdentClusterDeploymentProps) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give template, credential and config'), CHECKS);
      const { config } = props;
      const name = validateDns1035Label('name', props.name ?? id);
      const namespace = props.namespace ?? 'kcm-system';
      if (name.length > MAX_RELEASE_NAME) {
        throw invalidInput('name', name, `is ${name.length} characters long; it is also the name of a Helm release, which has ${MAX_RELEASE_NAME} at most`,
          'Shorten it');
      }
      const { values, exposure, nodePorts, chartVersion } = config._bind(name, namespace);
      const version = hostedHetznerVersion(props.template);
      if (chartVersion !== undefined && version !== undefined && version !== chartVersion) {
        throw invalidInput('template', props.template, `has the values of the chart ${version}, not those of ${chartVersion}`,
          'Use a template of that version, K0rdentConfig.values() or a HetznerHostedCluster');
      }
      validateChartValues(props.template, values);
      const warning = templateWarning(props.template);
      if (warning !== undefined) Warnings._add(this, warning);

      this.exposure = exposure;
      this.clusterDeployment = new ApiObject(this, 'Resource', ClusterDeployment.manifest({
        metadata: { name, namespace, labels: props.labels, annotations: props.annotations },
        spec: {
          template: props.template,
          credential: props.credential,
          config: values,
          dryRun: props.dryRun,
          propagateCredentials: props.propagateCredentials,
          cleanupOnDeletion: props.cleanupOnDeletion,
        },
      }));
      if (exposure) {
        recordReportedFacts(exposure, { resource: this.clusterDeployment });
      }
      const managementCluster = ManagementCluster.of(this).name;
      this.claim(managementCluster, nodePorts ?? []);
      if ((chartVersion ?? version) === HOSTED_HETZNER_VERSION) {
        claimOperatorObjects(this, hostedHetznerObjects(name, values).map(object => ({ namespace, ...object })), managementCluster);
      }
    } catch (error) {
      throw placed(this, error);
    }
  }

  private claim(managementCluster: string, nodePorts: number[]): void {
    // The chart's routes are for HAProxy, which looks at the host alone.
    this.exposure?.routes.forEach(({ hostname, port }) => claimHost(this, hostname, port, false));
    claimNodePorts(this, nodePorts, managementCluster,
      'The chart of k0rdent always takes these ports: use a shared address, a load balancer, or a HetznerHostedCluster with ports of its own');
    claimObject(this, this.clusterDeployment, managementCluster);
  }
}
