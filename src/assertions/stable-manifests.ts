import { pickRecord } from '../manifests/fields';
import { carriedTexts, Source } from '../manifests/source';

/** Keys of annotations and of settings in JSON. */
const CHECKSUM = /^checksum(\/.*)?$/;
const GENERATED = 'haproxy.cfg';
/** Of manifests in YAML or JSON; other files have these extensions too. */
const A_MANIFEST = /^(apiVersion:|\s*"apiVersion":)/m;

/**
 * Manifests without what changes although nobody has changed anything: their order, checksums, and the configuration of HAProxy. What
 * ConfigMaps carry to tenants is among them as objects, and no text.
 */
export function stableManifests(sources: Source[], carried: Source[]): any[] {
  return [...sources.map(withoutTexts), ...carried.map(({ object }) => stable(object))].map(object => ({ object, title: titleOf(object) }))
    .sort((a, b) => a.title < b.title ? -1 : a.title > b.title ? 1 : 0)
    .map(({ object }) => object);
}

function withoutTexts(source: Source): any {
  const object = stable(source.object);
  const texts = carriedTexts(source);
  if (source.kind !== 'ConfigMap' || texts.length === 0) {
    return object;
  }
  const entries = Object.entries(pickRecord(object, 'data')).filter(([, text]) => !texts.includes(String(text)) || !A_MANIFEST.test(String(text)));
  return { ...object, data: Object.fromEntries(entries.map(([key, text]) => [key, key.endsWith('.json') ? withoutChecksum(text) : text])) };
}

/** Settings beside the objects, as `sync` has them. */
function withoutChecksum(text: unknown): unknown {
  try {
    return JSON.stringify(stable(JSON.parse(String(text))), null, 2);
  } catch {
    return text;
  }
}

function stable(object: unknown): any {
  return JSON.parse(JSON.stringify(object, (key, value) => CHECKSUM.test(key) || key === GENERATED ? undefined : value));
}

/** With the text, as objects of different tenants have the same name. */
function titleOf(object: any): string {
  return [object.kind, object.metadata?.namespace, object.metadata?.name, JSON.stringify(object)].join(' ');
}
