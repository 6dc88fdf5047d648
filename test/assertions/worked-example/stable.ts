/** Manifests without what changes although nobody has changed anything: their order, checksums, generated configuration. */
export function stable(manifests: any[]): any[] {
  const title = ({ kind, metadata }: any) => `${kind} ${metadata.namespace}/${metadata.name}`;
  const text = JSON.stringify(manifests, (key, value) => key.startsWith('checksum/') || key === 'haproxy.cfg' ? undefined : value);
  return JSON.parse(text).sort((a: any, b: any) => title(a) < title(b) ? -1 : 1);
}
