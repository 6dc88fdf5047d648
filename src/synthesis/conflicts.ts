import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';

/** A name that two or more constructs use. */
export interface Conflict {
  readonly what: string;
  readonly name: string;
  readonly remedy: string;
  /** Those who use it; the same may be there twice. */
  readonly holders: IConstruct[];
  readonly derived: boolean;
  /** Whether it is one only because their charts go to one cluster. */
  readonly inCluster: boolean;
}

/** So many pairs of charts are named in one error. */
const NAMED = 10;

const OTHER_CLUSTERS = 'If they go to different clusters, say so before anything is made in them: ManagementCluster.assign(chart, "eu-1")';

/** The error for one name. */
export function messageOf(conflict: Conflict): string {
  const { what, name, remedy } = conflict;
  const other = isOfDifferentCharts(conflict) ? ` ${OTHER_CLUSTERS}.` : '';
  return `${what}: "${name}" is used by ${holdersOf(conflict)}. ${remedy}.${other}`;
}

/**
 * What two charts have in common because nobody has said that they go to different clusters is one error, however many names
 * it is.
 */
export function togetherOf(conflicts: Conflict[]): { readonly apart: Conflict[]; readonly together?: string } {
  const ofCharts = conflicts.filter(isOfDifferentCharts);
  if (ofCharts.filter(({ derived }) => !derived).length < 2) {
    return { apart: conflicts };
  }
  const groups = new Map<string, Conflict[]>();
  for (const conflict of ofCharts) {
    const scopes = listed(scopesOf(conflict.holders));
    groups.set(scopes, [...groups.get(scopes) ?? [], conflict]);
  }
  const lines = [...groups].map(([scopes, group]) => `${scopes} (${group.length}, e.g. ${exampleOf(group)})`).sort();
  const more = lines.length > NAMED ? `; and ${lines.length - NAMED} more groups` : '';
  return {
    apart: conflicts.filter(conflict => !isOfDifferentCharts(conflict)),
    together: `cluster: ${ofCharts.length} names are used more than once in a cluster, by ${lines.slice(0, NAMED).join('; by ')}${more}. ` +
      `${OTHER_CLUSTERS}. Else rename what has the same name.`,
  };
}

function isOfDifferentCharts({ inCluster, holders }: Conflict): boolean {
  return inCluster && new Set(holders.map(chartOf)).size > 1;
}

function chartOf(construct: IConstruct): IConstruct | undefined {
  return construct.node.scopes.reverse().find(scope => Chart.isChart(scope));
}

/** What tells the holders apart, as high as possible: environments rather than what is in them. */
function scopesOf(holders: IConstruct[]): string[] {
  const paths = holders.map(({ node }) => node.scopes);
  let depth = 0;
  while (paths.every(path => path[depth + 1] !== undefined && path[depth] === paths[0][depth])) {
    depth++;
  }
  const scopes = paths.map(path => path[depth].node.path);
  return new Set(scopes).size > 1 ? scopes : holders.map(({ node }) => node.path);
}

/** The first, as the order of construction must not change the output; names that the user chose are better known. */
function exampleOf(group: Conflict[]): string {
  const own = group.filter(({ derived }) => !derived);
  return (own.length > 0 ? own : group).map(conflict => `${conflict.what}: "${conflict.name}" of ${holdersOf(conflict)}`).sort()[0];
}

function holdersOf({ holders }: Conflict): string {
  return listed(holders.map(({ node }) => node.path));
}

/** Sorted, as the order of construction must not change the output. */
function listed(all: string[]): string {
  const paths = [...new Set(all)].sort();
  const last = paths.pop();
  return paths.length > 1 ? `${paths.join(', ')} and ${last}` : `both ${paths[0]} and ${last}`;
}
