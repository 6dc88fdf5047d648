import { isThereAnyway, madeBecauseOf } from './made-by-others';
import { needsPrivilegedNamespace } from './pod-references';
import { API, keyOf, OPERATOR, pickEach, Prerequisite, Reference, titleOf } from './prerequisite';
import { programFor } from './programs';
import { referencesOf } from './references';
import { pickList, pickRecord, pickText } from '../fields';
import { passthroughOf } from '../ingress-annotations';
import { KeysOf, lookUp } from '../lookup';
import { IngressClasses, isHandled } from '../operator-routes';
import { ingressClassesOf } from '../platform';
import { addressRoutes, mapRoutes, portRoutes } from '../read-shared-gateway';
import { groupOf, Source } from '../source';
import { systemOf } from '../systems';

/** API groups that every API server serves; that of the Gateway API, for one, ends as these do, and is not of them. */
const BUILT_IN = [
  '', 'apps', 'batch', 'policy', 'autoscaling', ...['networking', 'rbac.authorization', 'discovery', 'coordination', 'admissionregistration', 'storage', 'scheduling',
    'node', 'apiextensions', 'certificates', 'events', 'apiregistration', 'flowcontrol.apiserver'].map(group => `${group}.k8s.io`),
];
/** Kinds of those groups that API servers in use do not have yet. */
const NOT_EVERYWHERE = ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'];
/** Where custom resources have the annotations for the Ingress of their operator. */
const ANNOTATIONS_OF_INGRESSES = ['spec.controlPlane.ingress.additionalMetadata.annotations', 'spec.network.ingress.extraAnnotations', 'spec.ingress.annotations'];
/** What a namespace is for. */
const HOLDS = 'holds these objects';
/** Label by which a namespace admits pods, and the level that admits all. */
const POD_SECURITY = { 'pod-security.kubernetes.io/enforce': 'privileged' };

/**
 * What the manifests of one cluster need and do not hold: namespaces, APIs and the programs behind them, and every object
 * that one of them names. What operators and Kubernetes make by themselves is not among it.
 *
 * @param given   keys of what somebody else brings into the same cluster
 * @param further what is needed beside, which no manifest says
 */
export function prerequisitesOf(sources: Source[], given: Iterable<string> = [], further: Prerequisite[] = []): Prerequisite[] {
  const held = new Set([...given, ...broughtBy(sources)]);
  const ofKind = (wanted: string) => sources.filter(({ kind }) => kind === wanted);
  const context: Context = {
    gateways: ofKind('Gateway'), policies: ofKind('NetworkPolicy'), defined: definedKinds(sources), classes: ingressClassesOf(sources),
  };
  const needs = new Map<string, Need>();
  for (const source of sources) {
    neededBy(source, context).filter(reference => !(held.has(keyOf(reference)) && hasLabels(reference, sources)) && !isThereAnyway(reference))
      .forEach(reference => addNeed(needs, reference, [titleOf(source)]));
  }
  further.filter(each => !held.has(keyOf(each))).forEach(({ neededBy: by, ...reference }) => addNeed(needs, reference, by, reference.reason));
  return [...needs.values()].map(({ reference: { labels: _, ...reference }, reason, labels, by }): Prerequisite => ({
    ...reference,
    reason,
    ...Object.keys(labels).length > 0 ? { labels } : {},
    neededBy: [...by].sort(),
  })).sort(byKind);
}

interface Need {
  readonly reference: Reference;
  readonly labels: { [name: string]: string };
  readonly by: Set<string>;
  reason: string;
}

/** @param betterReason in the place of the one that is known already */
function addNeed(needs: Map<string, Need>, reference: Reference, by: string[], betterReason?: string): void {
  // People write `traefik` and `Traefik`.
  const key = reference.kind === OPERATOR ? keyOf({ ...reference, name: reference.name.toLowerCase() }) : keyOf(reference);
  const known = needs.get(key) ?? { reference, labels: {}, by: new Set<string>(), reason: reference.reason };
  needs.set(key, known);
  Object.assign(known.labels, reference.labels);
  by.forEach(title => known.by.add(title));
  known.reason = betterReason ?? known.reason;
}

/** Whether a Namespace of the manifests has the labels that it must have; Pod Security lets all pods into one without a level. */
function hasLabels({ kind, name, labels = {} }: Reference, sources: Source[]): boolean {
  const wanted = Object.entries(labels).filter(([label]) => !(label in POD_SECURITY));
  if (kind !== 'Namespace' || wanted.length === 0) return true;
  const [namespace] = lookUp(sources, namespacesByName, name);
  const own = namespace === undefined ? labels : pickRecord(namespace.object, 'metadata.labels');
  return wanted.every(([label, value]) => own[label] === value);
}

const namespacesByName: KeysOf<Source> = ({ kind, name }) => (kind === 'Namespace' ? [name] : []);

/** Keys of the objects that manifests bring into their cluster, with what operators make because of them. */
export function broughtBy(sources: Source[]): string[] {
  return sources.flatMap(source => [...ownKeys(source), ...madeBecauseOf(source)]);
}

/** What the manifests as a whole say. */
interface Context {
  readonly gateways: Source[];
  readonly policies: Source[];
  /** Kinds that they define. */
  readonly defined: ReadonlySet<string>;
  readonly classes: IngressClasses;
}

function neededBy(source: Source, { gateways, policies, defined, classes }: Context): Reference[] {
  const namespace = pickText(source.object, 'metadata.namespace');
  const program = programFor(source);
  return [
    ...program ? [program] : [],
    ...needsDefinition(source) && !defined.has(`${groupOf(source)} ${source.kind}`)
      ? [{ apiVersion: source.apiVersion, kind: API, name: source.kind, reason: 'is served by the API server' }] : [],
    ...namespace === undefined ? [] : [namespaceOf(source, namespace, gateways)],
    ...behindPolicy(source, policies),
    ...referencesOf(source).filter(({ kind, name }) => kind !== 'IngressClass' || isServed(source, name, classes)),
  ];
}

/**
 * Whether a controller is to serve the Ingress of a class. Operators make one for each control plane; where others make the routes, it
 * has a class that there must not be.
 */
function isServed(source: Source, className: string, classes: IngressClasses): boolean {
  if (systemOf(source) === undefined) return true;
  const annotations = Object.assign({}, ...ANNOTATIONS_OF_INGRESSES.map(path => pickRecord(source.object, path)));
  return isHandled(className, passthroughOf(annotations, className, classes.controllerOf), classes);
}

/** The namespace of an object, with the labels that it must have for the object to work. */
function namespaceOf(source: Source, name: string, gateways: Source[]): Reference {
  const labels = { ...needsPrivilegedNamespace(source) ? POD_SECURITY : {}, ...admittedLabels(source, gateways) };
  return { apiVersion: 'v1', kind: 'Namespace', name, labels, reason: HOLDS };
}

/** What listeners of the Gateways of a route ask of its namespace. */
function admittedLabels(route: Source, gateways: Source[]): { [name: string]: string } {
  const parents = groupOf(route) === 'gateway.networking.k8s.io' ? pickList(route.object, 'spec.parentRefs') : pickEach(route.object, 'spec.controlPlane.gateway.parentRefs.*');
  const attached = gateways.filter(({ name, namespace }) =>
    parents.some(parent => pickText(parent, 'name') === name && (pickText(parent, 'namespace') ?? route.namespace) === namespace));
  return Object.assign({}, ...attached.flatMap(({ object }) => pickList(object, 'spec.listeners'))
    .map(listener => pickRecord(listener, 'allowedRoutes.namespaces.selector.matchLabels')));
}

/** Namespaces of control planes that the maps of a shared gateway lead to, with the labels by which its NetworkPolicy lets it out to them. */
function behindPolicy(source: Source, policies: Source[]): Reference[] {
  if (source.kind !== 'ConfigMap') return [];
  const byHost = mapRoutes(source).map(({ backend }) => backend!.namespace);
  const namespaces = new Set([...byHost, ...[...portRoutes(source), ...addressRoutes(source)].map(({ namespace }) => namespace)]);
  const labels = Object.assign({}, ...namespaces.size === 0 ? [] : policies.filter(({ namespace }) => namespace === source.namespace)
    .flatMap(({ object }) => pickEach(object, 'spec.egress.*.to.*.namespaceSelector.matchLabels')));
  return Object.keys(labels).length === 0 ? [] : [...namespaces].map(name => ({ apiVersion: 'v1', kind: 'Namespace', name, labels, reason: HOLDS }));
}

function needsDefinition(source: Source): boolean {
  return !BUILT_IN.includes(groupOf(source)) || NOT_EVERYWHERE.includes(source.kind);
}

/** Kinds that CustomResourceDefinitions among the manifests define. */
function definedKinds(sources: Source[]): Set<string> {
  return new Set(sources.filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map(({ object }) => `${pickText(object, 'spec.group')} ${pickText(object, 'spec.names.kind')}`));
}

/** An object that names no namespace may be in none, or in `default`. */
function ownKeys({ apiVersion, kind, name, namespace, object }: Source): string[] {
  return pickText(object, 'metadata.namespace') === undefined ? [undefined, namespace].map(each => keyOf({ apiVersion, kind, name, namespace: each }))
    : [keyOf({ apiVersion, kind, name, namespace })];
}

const ORDER = [OPERATOR, API, 'Namespace', 'IngressClass', 'GatewayClass', 'Gateway', 'DataStore', 'StorageClass', 'Secret', 'ConfigMap'];

function byKind(a: Prerequisite, b: Prerequisite): number {
  const rank = ({ kind }: Prerequisite) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  const text = ({ kind, apiVersion, namespace = '', name }: Prerequisite) => [kind, apiVersion, namespace, name].join('\n');
  return rank(a) - rank(b) || (text(a) < text(b) ? -1 : 1);
}
