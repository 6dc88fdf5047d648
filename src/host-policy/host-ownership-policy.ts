import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ANNOTATION_VALIDATION, nameVariables } from './annotation-hosts';
import { celOr } from './cel';
import { HOST_DOMAIN, HostDomain, ownersOfDomains } from './host-domain';
import { ownershipValidations, ownershipVariables } from './ownership';
import { ROUTE_KINDS, RouteKind } from './route-kinds';
import type { Exposure } from '../model/exposure';
import { AN_EXPOSURE } from '../model/exposure-checks';
import { configMapManifest } from '../objects/kubernetes';
import { ManagementCluster } from '../synthesis/management-cluster';
import { claimObjects } from '../synthesis/object-claims';
import { Warnings } from '../synthesis/warnings';
import { invalidInput, placed } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { Checks, checkProps, flag, listOf, oneOf, optional, struct } from '../validation/props';
import { required } from '../validation/required';

/** What becomes of an object that takes a host of others. */
export enum HostPolicyAction {
  /** It is refused. */
  DENY = 'Deny',
  /** It is accepted, and whoever writes it is warned. */
  WARN = 'Warn',
  /** It is accepted, and the audit log says so. */
  AUDIT = 'Audit',
}

/** Whose hosts are whose in a management cluster. */
export interface HostOwnershipPolicyProps {
  /** Namespace of the ConfigMap with the owners. Who may write ConfigMaps there decides on all hosts. */
  readonly namespace: string;
  /**
   * Name of the ConfigMap; names of the policies begin with it. At most 40 characters.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * Domains and their owners.
   * @default - none beside the hosts of `exposures`
   */
  readonly domains?: HostDomain[];
  /**
   * Control planes whose hosts, and ports, belong to their namespace alone. They may be of several apps.
   * @default - none
   */
  readonly exposures?: Exposure[];
  /**
   * Refuse hosts that are of none of the domains, too.
   * @default false
   */
  readonly onlyListedDomains?: boolean;
  /**
   * Namespaces whose objects are not looked at, e.g. that of an ingress controller with routes of its own, or of ExternalDNS.
   * @default - none
   */
  readonly trustedNamespaces?: string[];
  /**
   * What becomes of an object that takes a host of others.
   * @default HostPolicyAction.DENY
   */
  readonly action?: HostPolicyAction;
  /**
   * Labels of all objects.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

const CHECKS: Checks<HostOwnershipPolicyProps> = {
  namespace: validateDns1123Label,
  name: optional(validateDns1123Label),
  domains: optional(listOf(struct(HOST_DOMAIN))),
  exposures: optional(listOf(AN_EXPOSURE)),
  onlyListedDomains: optional(flag),
  trustedNamespaces: optional(listOf(validateDns1123Label)),
  action: optional(oneOf(HostPolicyAction)),
  labels: optional(validateLabels),
};

const POLICY_VERSION = 'admissionregistration.k8s.io/v1';
const MAX_NAME = 40;
/** Kubernetes' limit for a ConfigMap is 1 MiB of keys and values; etcd's for a request is 1.5 MiB with all its fields. */
const MAX_BYTES = 1_048_576;
/** `kubectl apply` without `--server-side` keeps a copy in an annotation, and these hold 256 KiB. */
const MAX_APPLIED_BYTES = 240 * 1024;

/**
 * Keeps hosts to their owners in the management cluster itself, whichever app, chart or person writes a route: ValidatingAdmissionPolicies, one for
 * each kind of route, and a ConfigMap of domains and the namespaces that own them. Belongs into a chart for the management cluster, which needs
 * Kubernetes 1.30.
 *
 * Nobody is exempt: neither administrators nor controllers.
 */
export class HostOwnershipPolicy extends Construct {
  /** The ConfigMap with the owners of domains. */
  public readonly owners: ApiObject;

  /** @throws when a property cannot work, with the field, its value, the reason and the remedy */
  public constructor(scope: Construct, id: string, props: HostOwnershipPolicyProps) {
    super(scope, id);
    try {
      const { namespace, labels, domains = [], exposures = [] } = checkProps('', required('props', props, 'Give namespace and domains'), CHECKS);
      const name = nameOf(props.name, id);
      const owners = ownersOfDomains(domains, exposures);
      if (Object.keys(owners).length === 0) {
        throw invalidInput('domains', props.domains, 'lists none, and there are no exposures', 'Give at least one domain or exposure');
      }
      const bytes = Object.entries(owners).reduce((sum, [domain, grants]) => sum + domain.length + grants.length, 0);
      if (bytes > MAX_BYTES) {
        throw invalidInput('exposures', `${exposures.length} exposures`, `and domains make ${bytes} bytes; a ConfigMap holds ${MAX_BYTES}`,
          'Give a domain for all control planes of a namespace, or a HostOwnershipPolicy for each part of them');
      }
      if (bytes > MAX_APPLIED_BYTES) {
        Warnings._add(this, `The owners of ${Object.keys(owners).length} domains make ${bytes} bytes: apply them with kubectl apply --server-side.`);
      }
      this.owners = new ApiObject(this, 'owners', configMapManifest({ metadata: { name, namespace, labels }, data: owners }));
      ROUTE_KINDS.forEach(kind => this.addPolicy(kind, name, props));
      claimObjects(this, ManagementCluster.of(this).name);
    } catch (error) {
      throw placed(this, error);
    }
  }

  private addPolicy(kind: RouteKind, name: string, props: HostOwnershipPolicyProps): void {
    const { namespace, labels, onlyListedDomains = false, trustedNamespaces = [], action = HostPolicyAction.DENY } = props;
    const metadata = { name: `${name}-${kind.id}`, labels };
    new ApiObject(this, `${kind.id}-policy`, {
      apiVersion: POLICY_VERSION,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: {
          resourceRules: [{ apiGroups: kind.groups, apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: kind.resources }],
        },
        matchConditions: [
          { name: 'not-merely-deleted', expression: CHANGES_NO_HOST_WHILE_DELETED },
          ...kind.condition === undefined ? [] : [{ name: 'may-take-hosts', expression: kind.condition }],
        ],
        variables: [...nameVariables(kind.names), ...ownershipVariables(onlyListedDomains)],
        validations: [ANNOTATION_VALIDATION, ...kind.readable ? [kind.readable] : [], ...ownershipValidations(`ConfigMap ${namespace}/${name}`)],
      },
    });
    new ApiObject(this, `${kind.id}-binding`, {
      apiVersion: POLICY_VERSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: {
        policyName: metadata.name,
        paramRef: { name, namespace, parameterNotFoundAction: 'Deny' },
        validationActions: [action],
        ...trustedNamespaces.length > 0 && {
          matchResources: {
            namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: trustedNamespaces }] },
          },
        },
      },
    });
  }
}

/**
 * An object that takes a host of others must be able to go: its finalizers are removed by updates. But as long as it has some it routes, so nothing
 * else of it may change.
 */
const CHANGES_NO_HOST_WHILE_DELETED = [
  '!has(object.metadata.deletionTimestamp) || oldObject == null || object.?spec != oldObject.?spec ||',
  `${celOr('object.metadata.annotations', '{}')} != ${celOr('oldObject.metadata.annotations', '{}')}`,
].join('\n');

function nameOf(given: string | undefined, id: string): string {
  const name = validateDns1123Label('name', given ?? id);
  if (name.length > MAX_NAME) {
    throw invalidInput('name', name, `is ${name.length} characters long; the names of the policies have room for ${MAX_NAME}`, 'Shorten it, or give "name"');
  }
  return name;
}
