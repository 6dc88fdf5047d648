import { existsSync, readdirSync, statSync } from 'fs';
import { AdoptOptions } from './options';
import { isLookedAt } from './tenants';
import { ConfigurationError } from '../../cli/configuration';
import { readObjects } from '../../cli/documents';
import { readManagementCluster } from '../../cli/management-cluster';
import { printable } from '../../cli/printable';
import { Source } from '../../src/manifests/source';

/** The Clusters of Cluster API, which tell the networks of their control planes. */
const CLUSTER_API = ['clusters.cluster.x-k8s.io'];

/** A message is for a reader. */
const MOST_NAMED = 5;

/**
 * The control planes of dumps, or of a cluster. Other objects of a dump, Secrets among them, are not kept.
 *
 * @throws ConfigurationError when they cannot be read, or the wanted ones are not there
 */
export async function readRunning({ paths, kubeconfig, context, tenant: wanted }: Pick<AdoptOptions, 'paths' | 'kubeconfig' | 'context' | 'tenant'>): Promise<Source[]> {
  const all = kubeconfig === undefined ? readDumps(paths) : await readManagementCluster(kubeconfig, context, CLUSTER_API);
  const sources = all.filter(isLookedAt);
  requireNames(sources);
  if (wanted === undefined) return sources;
  const missing = wanted.find(title => !sources.some(source => titleOf(source) === title));
  if (missing !== undefined) throw new ConfigurationError(`--tenant ${JSON.stringify(missing)}: is not there; ${thoseThere(sources)}`);
  // Those of Cluster API are wanted whatever their names.
  return sources.filter(source => wanted.includes(titleOf(source)) || source.apiVersion.startsWith('cluster.x-k8s.io/'));
}

function readDumps(paths: string[]): Source[] {
  const { sources, unreadable: [broken] } = readObjects(paths);
  // What a parser complains of may quote the file, and that may be a Secret.
  if (broken) throw new ConfigurationError(printable(`${broken.file}:${broken.line}: cannot be read as YAML or JSON; dump it again, with kubectl get --output yaml`));
  return sources;
}

/** Some of those that could have been meant. */
function thoseThere(sources: Source[]): string {
  const titles = sources.map(titleOf);
  return titles.length === 0 ? 'no control plane is' : `there are ${titles.slice(0, MOST_NAMED).map(title => printable(title)).join(', ')}${titles.length > MOST_NAMED ? ', …' : ''}`;
}

function titleOf({ namespace, name }: Source): string {
  return `${namespace}/${name}`;
}

/** Whether a folder has nothing in it, or is not there. */
export function isFree(folder: string): boolean {
  if (!existsSync(folder)) return true;
  return statSync(folder).isDirectory() && readdirSync(folder).length === 0;
}

/** What names of objects may be (RFC 1123, subdomains). */
const OBJECT_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** @throws ConfigurationError where a dump has others: they would stand in commands of the plan */
function requireNames(sources: Source[]): void {
  const odd = sources.find(({ namespace, name }) => ![namespace, name].every(text => OBJECT_NAME.test(text)));
  if (odd === undefined) return;
  throw new ConfigurationError(`${odd.kind} ${printable(JSON.stringify(titleOf(odd)))}: is no namespace and name that an API server takes; dump it again, with kubectl get --output yaml`);
}
