/** API group and kind of a manifest, e.g. `apps/Deployment`; the core group is empty. */
export function groupKind({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${apiVersion.includes('/') ? apiVersion.split('/')[0] : ''}/${kind}`;
}

/** Names a manifest in messages, e.g. `apps/Deployment kube-system/tcp-proxy`. */
export function titleOf(manifest: any): string {
  const { name, namespace } = manifest.metadata;
  return `${groupKind(manifest).replace(/^\//, '')} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
