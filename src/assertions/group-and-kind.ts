/** API group and kind of a manifest; the version does not matter. The core group is empty. */
export function groupAndKind({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  return `${apiVersion.includes('/') ? apiVersion.split('/')[0] : ''} ${kind}`;
}
