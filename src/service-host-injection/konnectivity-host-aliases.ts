import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { MutatingAdmissionPolicyVersion, policyApiServerArgs, policyVersion } from './policy-version';
import { A_CONTROL_PLANE } from '../control-plane/control-plane-checks';
import { IHostedControlPlane } from '../control-plane/hosted-control-plane';
import { tenantClusterOf } from '../control-plane/tenant-cluster';
import { claimObjects } from '../synthesis/object-claims';
import { Warnings } from '../synthesis/warnings';
import { invalidInput, placed } from '../validation/invalid-input';
import { validateIpAddress } from '../validation/ip-network';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { Checks, checkProps, oneOf, optional, someOf } from '../validation/props';
import { required } from '../validation/required';

/** Where the konnectivity agents of a tenant cluster find their server. */
export interface KonnectivityHostAliasesProps {
  /** The control plane of the tenant. */
  readonly controlPlane: IHostedControlPlane;
  /** Addresses of what routes to the konnectivity server. */
  readonly addresses: string[];
  /**
   * Labels of the agents' pods, in `kube-system`. Those of HyperShift have `{ app: 'konnectivity-agent' }`.
   * @default - { 'k8s-app': 'konnectivity-agent' }, as with Kamaji, Steward and k0s
   */
  readonly agentLabels?: { [name: string]: string };
  /**
   * Version of the API of MutatingAdmissionPolicy.
   * @default - the newest that the Kubernetes version of the control plane has
   */
  readonly apiVersion?: MutatingAdmissionPolicyVersion;
  /**
   * Name of the policy and its binding.
   * @default konnectivity-host-aliases
   */
  readonly name?: string;
  /**
   * Labels of the policy and its binding.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

const CHECKS: Checks<KonnectivityHostAliasesProps> = {
  controlPlane: A_CONTROL_PLANE,
  addresses: someOf(validateIpAddress),
  agentLabels: optional(validateLabels),
  apiVersion: optional(oneOf(MutatingAdmissionPolicyVersion)),
  name: optional(validateDns1123Label),
  labels: optional(validateLabels),
};

/**
 * Tells konnectivity agents the address of their server where no DNS server knows its host: host aliases, for which no platform has a
 * field. Belongs into a chart for the tenant cluster.
 *
 * It is a MutatingAdmissionPolicy, as KubernetesServiceHostInjection, and needs the same arguments of the API server before Kubernetes
 * 1.36 (`KubernetesServiceHostInjection.apiServerArgs`). Agents that ran before it get the aliases when they are made anew.
 */
export class KonnectivityHostAliases extends Construct {
  /** The MutatingAdmissionPolicy. */
  public readonly policyObject: ApiObject;
  /** The MutatingAdmissionPolicyBinding. */
  public readonly bindingObject: ApiObject;

  /** @throws when the control plane has no konnectivity, or a property cannot work, with the field, its value, the reason and the remedy */
  public constructor(scope: Construct, id: string, props: KonnectivityHostAliasesProps) {
    super(scope, id);
    try {
      const { controlPlane, addresses, agentLabels = { 'k8s-app': 'konnectivity-agent' }, labels } =
        checkProps('', required('props', props, 'Give controlPlane and addresses'), CHECKS);
      const { exposure, exposure: { konnectivity } } = controlPlane;
      if (!konnectivity) {
        throw invalidInput('controlPlane', controlPlane.node.path, 'has no konnectivity, so there are no agents', 'Leave the aliases out, or give "konnectivity" of the control plane');
      }
      const name = props.name ?? 'konnectivity-host-aliases';
      const version = policyVersion(controlPlane.kubernetesVersion, props.apiVersion);
      const args = policyApiServerArgs(version);
      if (args.length > 0) {
        Warnings._add(this, `MutatingAdmissionPolicy ${version} is off by default: its objects are refused unless the API server runs with ` +
          `${args.join(' ')} (see KubernetesServiceHostInjection.apiServerArgs).`);
      }
      const apiVersion = `admissionregistration.k8s.io/${version}`;
      this.policyObject = new ApiObject(this, 'policy', {
        apiVersion,
        kind: 'MutatingAdmissionPolicy',
        metadata: { name, labels },
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
          reinvocationPolicy: 'Never',
          failurePolicy: 'Ignore',
          mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: aliasPatches(konnectivity.host, addresses) } }],
        },
      });
      this.bindingObject = new ApiObject(this, 'binding', {
        apiVersion,
        kind: 'MutatingAdmissionPolicyBinding',
        metadata: { name, labels },
        spec: {
          policyName: name,
          matchResources: {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
            objectSelector: { matchLabels: agentLabels },
          },
        },
      });
      claimObjects(this, tenantClusterOf(exposure));
    } catch (error) {
      throw placed(this, error);
    }
  }
}

/** One alias for each address; none for a pod that has the host already. */
function aliasPatches(host: string, addresses: string[]): string {
  const aliases = '(has(object.spec.hostAliases) ? object.spec.hostAliases : [])';
  const list = '(has(object.spec.hostAliases) ? [] : [JSONPatch{op: "add", path: "/spec/hostAliases", value: []}])';
  const items = addresses.map(ip =>
    `JSONPatch{op: "add", path: "/spec/hostAliases/-", value: Object.spec.hostAliases{ip: "${ip}", hostnames: ["${host}"]}}`);
  return `${aliases}.exists(a, has(a.hostnames) && a.hostnames.exists(h, h == "${host}")) ? [] :\n${list} +\n[${items.join(',\n')}]`;
}
