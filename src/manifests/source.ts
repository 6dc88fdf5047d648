import { extname } from 'path';
import { pickList, pickRecord, pickText } from './fields';

/** An object and where it stands. */
export interface Source {
  /** Empty for one that stands in no file. */
  readonly file: string;
  /** Line of the file where its document starts, from 1. */
  readonly line: number;
  readonly apiVersion: string;
  readonly kind: string;
  /** `default` where the object names none. */
  readonly namespace: string;
  readonly name: string;
  readonly object: unknown;
}

/** What ends the names of files with manifests. */
export const MANIFEST_EXTENSIONS = ['.yaml', '.yml', '.json'];

/** The objects of one document; Lists are taken apart, and what is no object is left out. */
export function sourcesOf(value: unknown, file: string, line: number): Source[] {
  const kind = pickText(value, 'kind');
  const items = kind?.endsWith('List') && Array.isArray((value as { items?: unknown }).items) ? pickList(value, 'items') : [value];
  return items.flatMap(object => {
    const [apiVersion, ownKind] = [pickText(object, 'apiVersion'), pickText(object, 'kind')];
    if (apiVersion === undefined || ownKind === undefined) return [];
    const [namespace, name] = [pickText(object, 'metadata.namespace') ?? 'default', pickText(object, 'metadata.name') ?? ''];
    return [{ file, line, apiVersion, kind: ownKind, namespace, name, object }];
  });
}

/**
 * Texts of manifests for a tenant that a ConfigMap or Secret of the management cluster carries, as for `tcp-proxy sync` and for
 * ClusterResourceSets of Cluster API. What an operator has made is its own affair.
 */
export function carriedTexts({ kind, object }: Source): string[] {
  if (pickList(object, 'metadata.ownerReferences').length > 0) return [];
  const encoded = kind === 'Secret' ? Object.entries(pickRecord(object, 'data')) : [];
  const plain = kind === 'ConfigMap' || kind === 'Secret' ? Object.entries(pickRecord(object, kind === 'Secret' ? 'stringData' : 'data')) : [];
  return [...plain, ...encoded.map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString()] as const)]
    .flatMap(([key, text]) => (MANIFEST_EXTENSIONS.includes(extname(key)) && typeof text === 'string' ? [text] : []));
}

/** API group; empty for the core group. The version does not matter to most readers. */
export function groupOf({ apiVersion }: Pick<Source, 'apiVersion'>): string {
  return apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
}

/** API group and kind, e.g. `traefik.io IngressRouteTCP`. */
export function groupAndKind(source: Pick<Source, 'apiVersion' | 'kind'>): string {
  return `${groupOf(source)} ${source.kind}`;
}
