import { createHash } from 'crypto';

/** Eight characters that change with the content, whatever the order of its keys. */
export function contentHash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(sorted(content))).digest('hex').slice(0, 8);
}

/** Names are also values of labels, which hold 63 characters. */
const MAX_NAME = 63;

/** `<cluster>-<part>`, shortened where it is too long; different names stay different. */
export function childName(cluster: string, part: string): string {
  const name = `${cluster}-${part}`;
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 9)}-${contentHash(name)}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, item]) => [key, sorted(item)]));
  }
  return value;
}
