import { pick, pickList, pickNumber, pickText } from './fields';
import { groupAndKind, Source } from './source';

/** What listeners are in. */
export type ListenerOwner = 'Gateway' | 'ListenerSet';

/** A listener of a Gateway of the Gateway API, in the Gateway itself or in a ListenerSet. */
export interface Listener {
  readonly source: Source;
  /** `namespace/name` of the Gateway. */
  readonly gateway: string;
  /** Path of the listener. */
  readonly path: string;
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly mode: string;
  /** Undefined takes every host. */
  readonly hostname?: string;
  /** From which namespaces routes may attach: `Same` by default. */
  readonly from: string;
}

export function listenersOf(source: Source): Listener[] {
  const owner = ownerOf(source);
  if (owner === undefined) return [];
  const gateway = owner === 'Gateway'
    ? `${source.namespace}/${source.name}`
    : `${pickText(source.object, 'spec.parentRef.namespace') ?? source.namespace}/${pickText(source.object, 'spec.parentRef.name')}`;
  return pickList(source.object, 'spec.listeners').map((listener, i) => ({
    source,
    gateway,
    path: `spec.listeners[${i}]`,
    name: pickText(listener, 'name') ?? '',
    port: pickNumber(listener, 'port') ?? 0,
    protocol: pickText(listener, 'protocol') ?? '',
    mode: pickText(listener, 'tls.mode') ?? 'Terminate',
    hostname: pickText(listener, 'hostname')?.toLowerCase(),
    from: pickText(listener, 'allowedRoutes.namespaces.from') ?? 'Same',
  }));
}

function ownerOf(source: Source): ListenerOwner | undefined {
  switch (groupAndKind(source)) {
    case 'gateway.networking.k8s.io Gateway': return 'Gateway';
    case 'gateway.networking.k8s.io ListenerSet': return 'ListenerSet';
    default: return undefined;
  }
}

/** A parent that a TLSRoute or a TCPRoute names. */
export interface ParentRef {
  readonly kind: ListenerOwner;
  /** `namespace/name`. */
  readonly name: string;
  readonly sectionName?: string;
  readonly port?: number;
  readonly path: string;
}

export function parentRefsOf(source: Source): ParentRef[] {
  return pickList(source.object, 'spec.parentRefs').flatMap((parent, i) => {
    const kind = pick(parent, 'kind') ?? 'Gateway';
    return kind !== 'Gateway' && kind !== 'ListenerSet' ? [] : [{
      kind,
      name: `${pickText(parent, 'namespace') ?? source.namespace}/${pickText(parent, 'name')}`,
      sectionName: pickText(parent, 'sectionName'),
      port: pickNumber(parent, 'port'),
      path: `spec.parentRefs[${i}]`,
    }];
  });
}

/** The listeners of a parent, all of them. */
export function listenersOfParent({ kind, name }: ParentRef, listeners: Listener[]): Listener[] {
  return listeners.filter(({ source }) => source.kind === kind && `${source.namespace}/${source.name}` === name);
}

/** Those among them that the parent names, by name and port. */
export function namedListeners({ sectionName, port }: ParentRef, listeners: Listener[]): Listener[] {
  return listeners.filter(listener => (sectionName ?? listener.name) === listener.name && (port ?? listener.port) === listener.port);
}
