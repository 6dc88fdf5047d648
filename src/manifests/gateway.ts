import { pick, pickList, pickNumber, pickText } from './fields';
import { Source } from './source';

/** A listener of a Gateway of the Gateway API. */
export interface Listener {
  readonly source: Source;
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
  return pickList(source.object, 'spec.listeners').map((listener, i) => ({
    source,
    path: `spec.listeners[${i}]`,
    name: pickText(listener, 'name') ?? '',
    port: pickNumber(listener, 'port') ?? 0,
    protocol: pickText(listener, 'protocol') ?? '',
    mode: pickText(listener, 'tls.mode') ?? 'Terminate',
    hostname: pickText(listener, 'hostname')?.toLowerCase(),
    from: pickText(listener, 'allowedRoutes.namespaces.from') ?? 'Same',
  }));
}

/** A parent that a TLSRoute names. */
export interface ParentRef {
  readonly gateway: string;
  readonly sectionName?: string;
  readonly port?: number;
  readonly path: string;
}

export function parentRefsOf(source: Source): ParentRef[] {
  return pickList(source.object, 'spec.parentRefs').flatMap((parent, i) => (pick(parent, 'kind') ?? 'Gateway') !== 'Gateway' ? [] : [{
    gateway: `${pickText(parent, 'namespace') ?? source.namespace}/${pickText(parent, 'name')}`,
    sectionName: pickText(parent, 'sectionName'),
    port: pickNumber(parent, 'port'),
    path: `spec.parentRefs[${i}]`,
  }]);
}
