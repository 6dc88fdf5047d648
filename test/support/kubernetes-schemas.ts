import { readFileSync } from 'fs';
import { dirname, join } from 'path';
import { k8s } from 'cdk8s-plus-30';

/*
 * The Kubernetes 1.30 API as JSON schemas, read from the jsii assembly of cdk8s-plus-30: its `k8s` submodule is
 * generated from the API's own OpenAPI document and keeps each field's name in the `schema` tag.
 */

/** `$id` of the schema that holds every built-in type under `definitions`. */
export const KUBERNETES_ID = 'kubernetes';

/** Reference to the metadata of an object, also for custom resources. */
export const OBJECT_META_REF = `${KUBERNETES_ID}#/definitions/ObjectMeta`;

/** Built-in kinds without a namespace. */
const CLUSTER_SCOPED = new Set([
  'APIService', 'CSIDriver', 'CSINode', 'CertificateSigningRequest', 'ClusterRole', 'ClusterRoleBinding', 'ClusterTrustBundle', 'ComponentStatus',
  'CustomResourceDefinition', 'FlowSchema', 'IPAddress', 'IngressClass', 'MutatingWebhookConfiguration', 'Namespace', 'Node', 'PersistentVolume',
  'PriorityClass', 'PriorityLevelConfiguration', 'ResourceClass', 'ResourceSlice', 'RuntimeClass', 'SelfSubjectAccessReview', 'SelfSubjectReview',
  'SelfSubjectRulesReview', 'ServiceCIDR', 'StorageClass', 'StorageVersion', 'StorageVersionMigration', 'SubjectAccessReview', 'TokenReview',
  'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding', 'ValidatingWebhookConfiguration', 'VolumeAttachment', 'VolumeAttributesClass',
]);

/** Values that the API server checks and the OpenAPI document does not list, for the fields that this library uses. */
const ENUMS: { [field: string]: string[] } = {
  'io.k8s.api.core.v1.Container#imagePullPolicy': ['Always', 'IfNotPresent', 'Never'],
  'io.k8s.api.core.v1.ContainerPort#protocol': ['TCP', 'UDP', 'SCTP'],
  'io.k8s.api.core.v1.EndpointPort#protocol': ['TCP', 'UDP', 'SCTP'],
  'io.k8s.api.core.v1.HTTPGetAction#scheme': ['HTTP', 'HTTPS'],
  'io.k8s.api.core.v1.HostPathVolumeSource#type':
    ['', 'DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'],
  'io.k8s.api.core.v1.PodSpec#dnsPolicy': ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
  'io.k8s.api.core.v1.PodSpec#restartPolicy': ['Always', 'OnFailure', 'Never'],
  'io.k8s.api.core.v1.SeccompProfile#type': ['Localhost', 'RuntimeDefault', 'Unconfined'],
  'io.k8s.api.core.v1.ServicePort#protocol': ['TCP', 'UDP', 'SCTP'],
  'io.k8s.api.core.v1.ServiceSpec#externalTrafficPolicy': ['Cluster', 'Local'],
  'io.k8s.api.core.v1.ServiceSpec#internalTrafficPolicy': ['Cluster', 'Local'],
  'io.k8s.api.core.v1.ServiceSpec#ipFamilyPolicy': ['SingleStack', 'PreferDualStack', 'RequireDualStack'],
  'io.k8s.api.core.v1.ServiceSpec#type': ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'],
  'io.k8s.api.core.v1.Taint#effect': ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  'io.k8s.api.core.v1.Toleration#effect': ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  'io.k8s.api.core.v1.Toleration#operator': ['Exists', 'Equal'],
  'io.k8s.api.core.v1.TopologySpreadConstraint#whenUnsatisfiable': ['DoNotSchedule', 'ScheduleAnyway'],
  'io.k8s.api.apps.v1.DaemonSetUpdateStrategy#type': ['OnDelete', 'RollingUpdate'],
  'io.k8s.api.apps.v1.DeploymentStrategy#type': ['Recreate', 'RollingUpdate'],
  'io.k8s.api.discovery.v1.EndpointSlice#addressType': ['IPv4', 'IPv6', 'FQDN'],
  'io.k8s.api.networking.v1.HTTPIngressPath#pathType': ['Exact', 'ImplementationSpecific', 'Prefix'],
  'io.k8s.api.networking.v1.NetworkPolicyPort#protocol': ['TCP', 'UDP', 'SCTP'],
  'io.k8s.api.rbac.v1.Subject#kind': ['ServiceAccount', 'User', 'Group'],
};

const SUBDOMAIN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';

/** Patterns of object names, for the kinds that do not take a DNS subdomain. */
const NAME_PATTERNS: { [kind: string]: { pattern: string; maxLength: number } } = {
  Service: { pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
  Namespace: { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
  Role: { pattern: '^(?!\\.\\.?$)[^/%]+$', maxLength: 253 },
  RoleBinding: { pattern: '^(?!\\.\\.?$)[^/%]+$', maxLength: 253 },
  ClusterRole: { pattern: '^(?!\\.\\.?$)[^/%]+$', maxLength: 253 },
  ClusterRoleBinding: { pattern: '^(?!\\.\\.?$)[^/%]+$', maxLength: 253 },
};

const QUALIFIED_NAME = '^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';
const LABEL_VALUE = '^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$';

/** Named types that are scalars in YAML. */
const SCALARS: { [type: string]: object } = {
  IntOrString: { type: ['integer', 'string'] },
  Quantity: { type: ['number', 'string'], pattern: '^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\\d+)?$' },
};

interface JsiiType {
  readonly primitive?: string;
  readonly fqn?: string;
  readonly collection?: { readonly kind: 'array' | 'map'; readonly elementtype: JsiiType };
}

interface JsiiInterface {
  readonly name: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly properties?: { readonly type: JsiiType; readonly optional?: boolean; readonly docs: { readonly custom: { readonly schema: string } } }[];
}

/** One schema with all built-in types as `definitions`. */
export function kubernetesDefinitions(): object {
  const assembly = JSON.parse(readFileSync(join(dirname(require.resolve('cdk8s-plus-30/package.json')), '.jsii'), 'utf8'));
  const types = (Object.values(assembly.types) as JsiiInterface[]).filter(type => type.namespace === 'k8s' && type.kind === 'interface');
  const definitions: { [name: string]: any } = Object.fromEntries(types.map(type => [type.name, definition(type)]));
  Object.assign(definitions, SCALARS);
  definitions.JsonSchemaProps = {};
  definitions.ObjectMeta.properties.labels = labels(LABEL_VALUE);
  definitions.ObjectMeta.properties.annotations = labels('');
  return { $id: KUBERNETES_ID, definitions };
}

/** The schema of a built-in object, or undefined when the API has no such kind. */
export function kubernetesSchema(apiVersion: string, kind: string): object | undefined {
  const [className] = Object.entries(k8s as any).find(([, type]: [string, any]) =>
    type.GVK?.apiVersion === apiVersion && type.GVK.kind === kind) ?? [];
  if (!className) {
    return undefined;
  }
  return {
    allOf: [
      { $ref: `${KUBERNETES_ID}#/definitions/${className}Props` },
      objectSchema(!CLUSTER_SCOPED.has(kind), NAME_PATTERNS[kind]),
    ],
  };
}

/** What holds for every object: a name of the right form, and a namespace exactly when the kind has one. */
export function objectSchema(namespaced: boolean, name = { pattern: SUBDOMAIN, maxLength: 253 }): object {
  return {
    required: ['apiVersion', 'kind', 'metadata'],
    properties: {
      metadata: namespaced
        ? { required: ['name', 'namespace'], properties: { name, namespace: NAME_PATTERNS.Namespace } }
        : { required: ['name'], properties: { name, namespace: false } },
    },
  };
}

function definition(type: JsiiInterface): object {
  const properties: { [name: string]: object } = {};
  const required: string[] = [];
  for (const property of type.properties ?? []) {
    const field = property.docs.custom.schema;
    const name = field.slice(field.indexOf('#') + 1);
    properties[name] = ENUMS[field] ? { enum: ENUMS[field] } : schemaOf(property.type);
    if (!property.optional) {
      required.push(name);
    }
  }
  if (type.name.startsWith('Kube')) {
    Object.assign(properties, { apiVersion: { type: 'string' }, kind: { type: 'string' } });
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

function schemaOf(type: JsiiType): object {
  if (type.collection) {
    const element = schemaOf(type.collection.elementtype);
    return type.collection.kind === 'array' ? { type: 'array', items: element } : { type: 'object', additionalProperties: element };
  }
  if (type.fqn) {
    return { $ref: `#/definitions/${type.fqn.split('.').pop()}` };
  }
  switch (type.primitive) {
    // Every number of the API outside of CustomResourceDefinitions is a whole one.
    case 'number': return { type: 'integer' };
    case 'date': return { type: 'string', format: 'date-time' };
    case 'any': case 'json': return {};
    default: return { type: type.primitive };
  }
}

function labels(value: string): object {
  return { type: 'object', propertyNames: { pattern: QUALIFIED_NAME }, additionalProperties: { type: 'string', pattern: value } };
}
