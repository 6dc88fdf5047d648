import { App, Chart } from 'cdk8s';
import { Assignment, assignments } from './choice';
import { Guard, HelmChart, MARKED_RELEASE, Release, RELEASE_MARKS } from './definition';
import { Digests } from './digests';
import { Mark, Marks } from './marks';
import { mergeMaps } from './merge';
import { TemplateWriter } from './template';
import { schemaOf, valuesYaml } from './values';
import { DEFAULT_TCP_PROXY_IMAGE } from '../../src/agent/image';
import { DNS_1035_LABEL } from '../../src/validation/name';

/** An object as it is applied. */
export interface ChartObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** The files of a chart, by their paths. */
export interface ChartFiles {
  readonly [path: string]: string;
}

/** The objects of the constructs for values. */
export function objectsOf<Values>(definition: HelmChart<Values>, values: Values, release: Release): ChartObject[] {
  const chart = new Chart(new App(), 'chart');
  definition.build(chart, values, release);
  return chart.toJson() as ChartObject[];
}

/** Makes a Helm chart. @param version of the library */
export function chartFiles<Values>(definition: HelmChart<Values>, version: string): ChartFiles {
  const digests = new Digests(definition.name, new Marks([...definition.marks, ...RELEASE_MARKS]));
  const objects = new Map<Assignment, Record<string, unknown>>();
  for (const assignment of assignments(definition.choices)) {
    const values = definition.marked(assignment);
    if (values) {
      const made = objectsOf(definition, values, MARKED_RELEASE);
      digests.learn(made, definition.digested?.(made) ?? []);
      objects.set(assignment, Object.fromEntries(made.map(object => [identityOf(object), digests.mark(object)])));
    }
  }
  const among = [...objects.keys()];
  const marks = new Marks([...definition.marks, ...RELEASE_MARKS, ...digests.marks]);
  const writer = new TemplateWriter(definition.name, definition.choices, marks);
  const objectTemplates = Object.fromEntries(mergeMaps(objects).entries.map(entry => [`templates/${fileOf(entry.key)}.yaml`, writer.object(entry, entry.key, among)]));
  const templates = { ...objectTemplates, 'templates/_texts.tpl': writer.namedTemplates };
  requireComplete(definition.name, marks.unused.filter(mark => !digests.marks.includes(mark)), templates);
  return {
    'Chart.yaml': chartYaml(definition, version),
    'values.yaml': valuesYaml(definition.values),
    'values.schema.json': `${JSON.stringify(schemaOf(definition.values), null, 2)}\n`,
    'templates/NOTES.txt': definition.notes,
    'templates/guards.yaml': guards(definition),
    ...templates,
  };
}

/** @throws where a value changes nothing, or a mark has become a part of something else, e.g. of a name that was shortened */
function requireComplete(chart: string, unused: readonly Mark[], templates: ChartFiles): void {
  const left = Object.keys(templates).find(path => templates[path].includes('marked-'));
  if (unused.length > 0 || left !== undefined) {
    throw new Error(`${chart}: ${left === undefined ? `no object depends on ${unused[0].expression}` : `${left} has a mark left`}`);
  }
}

function identityOf({ kind, metadata: { name, namespace } }: ChartObject): string {
  return [kind, namespace ?? '', name].join(' ');
}

function fileOf(identity: string): string {
  return identity.toLowerCase().replace(/marked-release-namespace/g, '').replace(/marked-release-name/g, '').replace(/marked-/g, '')
    .replace(/[^a-z0-9]+/g, '-').replace(/-$/, '');
}

function chartYaml({ name, description }: { readonly name: string; readonly description: string }, version: string): string {
  const lines = {
    apiVersion: 'v2',
    name,
    description,
    type: 'application',
    version,
    appVersion: DEFAULT_TCP_PROXY_IMAGE.replace(/^.*:/, ''),
    kubeVersion: '>=1.29.0-0',
    home: 'https://github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane',
  };
  return Object.entries(lines).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join('');
}

/** A template that makes nothing, and fails for what no schema can refuse. */
function guards<Values>({ guards: own }: HelmChart<Values>): string {
  const all: Guard[] = [{
    refuses: `not (regexMatch ${JSON.stringify(DNS_1035_LABEL.source)} $.Release.Name)`,
    message: 'the name of the release is that of the objects: use lower-case letters, digits and "-", starting with a letter',
  }, ...own];
  return all.map(({ before = '', refuses, message, after = '' }) => `${before}{{- if ${refuses} }}{{ fail ${JSON.stringify(message)} }}{{ end }}${after}\n`).join('');
}
