import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { endpointMutations } from './mutations';
import { MutatingAdmissionPolicyVersion, policyApiServerArgs, policyVersion } from './policy-version';
import { A_CONTROL_PLANE } from '../control-plane/control-plane-checks';
import { IHostedControlPlane } from '../control-plane/hosted-control-plane';
import { tenantClusterOf } from '../control-plane/tenant-cluster';
import { Exposure } from '../model/exposure';
import { AN_EXPOSURE } from '../model/exposure-checks';
import { claimObjects } from '../synthesis/object-claims';
import { Warnings } from '../synthesis/warnings';
import { nameFactories } from '../validation/factories';
import { InvalidInputError, invalidInput, placed } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { Checks, checkProps, flag, listOf, oneOf, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** Which pods of a tenant cluster are led to the public endpoint, and by which version of the policy. */
export interface KubernetesServiceHostInjectionProps {
  /**
   * The control plane of the tenant.
   * @default - `exposure` is required
   */
  readonly controlPlane?: IHostedControlPlane;
  /**
   * The exposure of a control plane that is not one of this app.
   * @default - that of `controlPlane`
   */
  readonly exposure?: Exposure;
  /**
   * Kubernetes version of the tenant cluster, e.g. `1.32.0`; at least 1.32.
   * @default - that of `controlPlane`; with `exposure` it is required
   */
  readonly kubernetesVersion?: string;
  /**
   * Version of the API of MutatingAdmissionPolicy.
   * @default - the newest that the Kubernetes version has
   */
  readonly apiVersion?: MutatingAdmissionPolicyVersion;
  /**
   * Name of the policy and its binding.
   * @default kubernetes-service-host
   */
  readonly name?: string;
  /**
   * Namespaces whose pods are left as they are. `[]` is none.
   *
   * Pods of `kube-system` bring the cluster up. They may start before cluster DNS, which the public host needs and the
   * address of the Service `kubernetes` does not.
   * @default ['kube-system']
   */
  readonly excludedNamespaces?: string[];
  /**
   * Whether pods of the host network are led to the public endpoint too. They are often what cluster DNS waits for, e.g. a CNI.
   * @default false
   */
  readonly hostNetworkPods?: boolean;
  /**
   * Labels of the policy and its binding.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

const CHECKS: Checks<KubernetesServiceHostInjectionProps> = {
  controlPlane: optional(A_CONTROL_PLANE),
  exposure: optional(AN_EXPOSURE),
  kubernetesVersion: optional(validateText),
  apiVersion: optional(oneOf(MutatingAdmissionPolicyVersion)),
  name: optional(validateDns1123Label),
  excludedNamespaces: optional(listOf(validateDns1123Label)),
  hostNetworkPods: optional(flag),
  labels: optional(validateLabels),
};

/**
 * Leads the pods of a tenant cluster to the public endpoint of their API server, by the environment variables
 * `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`: clients then send SNI themselves, so that client certificates
 * work through any ingress, and the tcp-proxy serves only those who dial the Service. Belongs into a chart for the tenant
 * cluster.
 *
 * It is a MutatingAdmissionPolicy: the API server evaluates it itself, so there is no webhook that could fail. A pod that
 * it cannot change is admitted as it is. Containers that set one of the variables keep theirs; ephemeral containers, static
 * pods and pods with the label `OPT_OUT_LABEL` are left as they are.
 *
 * The certificate that these pods verify carries the public host (`Exposure.certSans`).
 *
 * @example
 * new KubernetesServiceHostInjection(tenant, 'injection', { controlPlane });
 */
export class KubernetesServiceHostInjection extends Construct {
  /** Label with the value `disabled` for pods, and for namespaces, that are to be left as they are. */
  public static readonly OPT_OUT_LABEL = 'hosted-control-plane/service-host-injection';

  /**
   * Arguments that the API server needs for the policy: alpha and beta versions are off by default. Empty from
   * Kubernetes 1.36 on. Join the feature gates and the runtime config with those that it has already.
   *
   * @param kubernetesVersion of the tenant cluster, e.g. `1.32.0`
   * @param apiVersion        version of the API; the newest that the Kubernetes version has if left out
   */
  public static apiServerArgs(kubernetesVersion: string, apiVersion?: MutatingAdmissionPolicyVersion): string[] {
    return policyApiServerArgs(policyVersion(kubernetesVersion, apiVersion));
  }

  /** Version of the API that is used. */
  public readonly apiVersion: MutatingAdmissionPolicyVersion;
  /** The MutatingAdmissionPolicy: what is done to which pods. */
  public readonly policyObject: ApiObject;
  /** The MutatingAdmissionPolicyBinding: in which namespaces. */
  public readonly bindingObject: ApiObject;

  public constructor(scope: Construct, id: string, props: KubernetesServiceHostInjectionProps) {
    super(scope, id);
    try {
      const exposure = exposureOf(checkProps('', required('props', props, 'Give controlPlane, or exposure and kubernetesVersion'), CHECKS));
      const kubernetesVersion = kubernetesVersionOf(props);
      const metadata = {
        name: props.name ?? 'kubernetes-service-host',
        labels: props.labels,
      };
      this.apiVersion = policyVersion(kubernetesVersion, props.apiVersion);
      const args = policyApiServerArgs(this.apiVersion);
      if (args.length > 0) {
        Warnings._add(this, `MutatingAdmissionPolicy ${this.apiVersion} is off by default: its objects are refused unless the API server runs with ` +
          `${args.join(' ')} (see KubernetesServiceHostInjection.apiServerArgs).`);
      }

      const apiVersion = `admissionregistration.k8s.io/${this.apiVersion}`;
      this.policyObject = new ApiObject(this, 'policy', {
        apiVersion,
        kind: 'MutatingAdmissionPolicy',
        metadata,
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
          matchConditions: matchConditions(props.hostNetworkPods ?? false),
          // Sidecars that come from a later step of admission are led there too.
          reinvocationPolicy: 'IfNeeded',
          failurePolicy: 'Ignore',
          mutations: endpointMutations(exposure.api),
        },
      });
      this.bindingObject = new ApiObject(this, 'binding', {
        apiVersion,
        kind: 'MutatingAdmissionPolicyBinding',
        metadata,
        spec: {
          policyName: metadata.name,
          matchResources: {
            namespaceSelector: { matchExpressions: [...excluding(props.excludedNamespaces ?? ['kube-system']), NOT_OPTED_OUT] },
            objectSelector: { matchExpressions: [NOT_OPTED_OUT] },
          },
        },
      });
      claimObjects(this, tenantClusterOf(exposure));
    } catch (error) {
      throw placed(this, error);
    }
  }
}

nameFactories(KubernetesServiceHostInjection);

const NOT_OPTED_OUT = { key: KubernetesServiceHostInjection.OPT_OUT_LABEL, operator: 'NotIn', values: ['disabled'] };

function matchConditions(hostNetworkPods: boolean): object[] {
  // A mirror pod shows a static pod, which runs as its node's file says whatever the API server stores.
  const mirror = 'has(object.metadata.annotations) && "kubernetes.io/config.mirror" in object.metadata.annotations';
  return [
    { name: 'not-a-static-pod', expression: `!(${mirror})` },
    ...hostNetworkPods ? [] : [{ name: 'not-of-the-host-network', expression: '!(has(object.spec.hostNetwork) && object.spec.hostNetwork)' }],
  ];
}

function excluding(namespaces: string[]): object[] {
  // An empty list of values is not valid.
  return namespaces.length === 0 ? [] : [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: namespaces }];
}

function exposureOf({ controlPlane, exposure }: KubernetesServiceHostInjectionProps): Exposure {
  if ((controlPlane === undefined) === (exposure === undefined)) {
    throw new InvalidInputError({
      field: 'controlPlane, exposure', value: undefined, reason: 'exactly one of the two must be given', remedy: 'Give controlPlane for a control plane of this app, exposure for any other',
    }, 'exactly one of the two must be given. Give controlPlane for a control plane of this app, exposure for any other.');
  }
  return controlPlane?.exposure ?? exposure!;
}

function kubernetesVersionOf({ controlPlane, kubernetesVersion }: KubernetesServiceHostInjectionProps): string {
  const version = kubernetesVersion ?? controlPlane?.kubernetesVersion;
  if (version === undefined) {
    throw invalidInput('kubernetesVersion', undefined, 'is not set, and an exposure does not tell it', 'Give the version of the tenant cluster, e.g. "1.32.0"');
  }
  return version;
}
