import { dirname, resolve } from 'path';
import { load } from 'js-yaml';
import * as z from 'zod/mini';
import { checkCa, readCa, readText } from './certificate-authority';
import { isHost } from './target';
import { ConfigurationError } from '../../../cli/configuration';

/** What a kubeconfig says about the server. Credentials are not read. */
export interface KubeconfigServer {
  readonly host: string;
  readonly port: number;
  readonly serverName?: string;
  readonly ca?: string;
}

const kubeconfig = z.object({
  'current-context': z.optional(z.string()),
  'contexts': z.optional(z.array(z.object({ name: z.string(), context: z.object({ cluster: z.string() }) }))),
  'clusters': z.array(z.object({
    name: z.string(),
    cluster: z.object({
      'server': z.string(),
      'tls-server-name': z.optional(z.string()),
      'certificate-authority-data': z.optional(z.string()),
      'certificate-authority': z.optional(z.string()),
    }),
  })).check(z.minLength(1)),
});

/**
 * Reads the cluster of the current context, or the only cluster.
 *
 * @throws ConfigurationError when the file is no kubeconfig or its server no https URL
 */
export function readKubeconfig(path: string): KubeconfigServer {
  const where = `--tenant-kubeconfig ${JSON.stringify(path)}`;
  const cluster = clusterOf(path, where);
  const url = URL.canParse(cluster.server) ? new URL(cluster.server) : undefined;
  if (url?.protocol !== 'https:') throw new ConfigurationError(`${where}: server ${JSON.stringify(cluster.server)} is no https URL`);
  const serverName = cluster['tls-server-name'];
  if (serverName !== undefined && !isHost(serverName)) throw new ConfigurationError(`${where}: tls-server-name ${JSON.stringify(serverName)} is no host name`);
  const data = cluster['certificate-authority-data'];
  const file = cluster['certificate-authority'];
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 443),
    serverName,
    ca: data !== undefined
      ? checkCa(`${where}: certificate-authority-data`, Buffer.from(data, 'base64').toString())
      : file !== undefined ? readCa(`${where}: certificate-authority`, resolve(dirname(path), file)) : undefined,
  };
}

function clusterOf(path: string, where: string): z.infer<typeof kubeconfig>['clusters'][number]['cluster'] {
  let parsed: z.infer<typeof kubeconfig>;
  try {
    parsed = kubeconfig.parse(load(readText('--tenant-kubeconfig', path)));
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError(`${where}: is no kubeconfig; name one with clusters[].cluster.server`);
  }
  const context = parsed.contexts?.find(({ name }) => name === parsed['current-context']);
  const cluster = context ? parsed.clusters.find(({ name }) => name === context.context.cluster) : parsed.clusters[0];
  if (!cluster) throw new ConfigurationError(`${where}: the current context names a cluster that is not there; set current-context`);
  return cluster.cluster;
}
