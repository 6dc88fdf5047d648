import { Cluster } from '../../../e2e/support/cluster';

/** The files of a volume of Secrets and ConfigMaps, by their path in it; none of one that is empty at first. */
export async function filesOf(cluster: Cluster, namespace: string, { projected, secret, configMap }: any): Promise<{ [path: string]: Buffer }> {
  const sources = projected?.sources ?? [{ secret: secret && { ...secret, name: secret.secretName }, configMap }];
  const files: { [path: string]: Buffer } = {};
  for (const source of sources) {
    for (const kind of ['secret', 'configMap']) {
      const { name, items } = source[kind] ?? {};
      if (name === undefined) {
        continue;
      }
      const object = await cluster.get(kind, namespace, name);
      if (!object) {
        throw new Error(`${kind} ${name} is not there`);
      }
      const data: [string, Buffer][] = Object.entries<string>(object.data ?? {}).map(([key, text]) => [key, Buffer.from(text, kind === 'secret' ? 'base64' : 'utf8')]);
      for (const [key, content] of data) {
        const item = items?.find((found: any) => found.key === key);
        if (!items || item) {
          files[item?.path ?? key] = content;
        }
      }
    }
  }
  return files;
}
