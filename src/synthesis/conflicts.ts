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
/** So many names of one kind that the same charts have in common have errors of their own. */
const APART = 3;

const OTHER_CLUSTERS = 'If they go to different clusters, say so before anything is made in them: ManagementCluster.assign(chart, "eu-1")';

/** The error for one name. */
export function messageOf(conflict: Conflict): string {
  const { what, name, remedy } = conflict;
  const other = isOfDifferentCharts(conflict) ? ` ${OTHER_CLUSTERS}.` : '';
  return `${what}: "${name}" is used by ${holdersOf(conflict)}. ${remedy}.${other}`;
}

/**
 * What two charts have in common because nobody has said that they go to different clusters is one error, however many names
 * it is; so are many names of one kind that they have in common for another reason.
 */
export function togetherOf(conflicts: Conflict[]): { readonly apart: Conflict[]; readonly together: string[] } {
  const ofCharts = conflicts.filter(isOfDifferentCharts);
  const forgotten = ofCharts.filter(({ derived }) => !derived).length > 1;
  const others = conflicts.filter(conflict => !forgotten || !isOfDifferentCharts(conflict));
  const many = grouped(others.filter(({ inCluster, holders }) => !inCluster && areInDifferentCharts(holders)), ({ what, remedy, holders }) =>
    [what, remedy, listed(scopesOf(holders))].join('\n')).filter(({ length }) => length > APART);
  const told = new Set(many.flat());
  return {
    apart: others.filter(conflict => !told.has(conflict)),
    together: [...forgotten ? [clusterMessage(ofCharts)] : [], ...many.map(manyMessage)],
  };
}

function clusterMessage(conflicts: Conflict[]): string {
  const lines = grouped(conflicts, ({ holders }) => listed(scopesOf(holders)))
    .map(group => `${listed(scopesOf(group[0].holders))} (${group.length}, e.g. ${exampleOf(group)})`).sort();
  const more = lines.length > NAMED ? `; and ${lines.length - NAMED} more groups` : '';
  return `cluster: ${conflicts.length} names are used more than once in a cluster, by ${lines.slice(0, NAMED).join('; by ')}${more}. ` +
    `${OTHER_CLUSTERS}. Else rename what has the same name.`;
}

function manyMessage(group: Conflict[]): string {
  const [{ what, remedy, holders }] = group;
  return `${what}: ${group.length} names are used by ${listed(scopesOf(holders))}, e.g. ${exampleOf(group)}. ${remedy}.`;
}

function grouped(conflicts: Conflict[], keyOf: (conflict: Conflict) => string): Conflict[][] {
  const groups = new Map<string, Conflict[]>();
  for (const conflict of conflicts) {
    const key = keyOf(conflict);
    const group = groups.get(key);
    group ? group.push(conflict) : groups.set(key, [conflict]);
  }
  return [...groups.values()];
}

function isOfDifferentCharts({ inCluster, holders }: Conflict): boolean {
  return inCluster && areInDifferentCharts(holders);
}

function areInDifferentCharts(holders: IConstruct[]): boolean {
  return new Set(holders.map(chartOf)).size > 1;
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
