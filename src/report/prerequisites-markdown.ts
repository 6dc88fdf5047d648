import { markdownCode, markdownTable, markdownText } from './markdown-text';
import { ExposureReportDocument, ReportedPrerequisite } from './report-document';

/** So many names are shown where others are counted. */
const NAMED = 2;

/** What must exist before `kubectl apply`, cluster by cluster. */
export function prerequisitesSection({ prerequisites, images, controlPlanes }: ExposureReportDocument): (string | string[])[] {
  const tenants = controlPlanes.map(({ namespace, name }) => `${namespace}/${name}`);
  const ofTenants = (each: ReportedPrerequisite) => each.clusters.some(isTenant);
  const management = prerequisites.filter(each => !ofTenants(each));
  const named = [...new Set(management.flatMap(({ clusters }) => clusters))];
  return [
    [prerequisites.length === 0 ? 'The manifests hold all that they refer to.'
      : 'The manifests refer to this and do not hold it. `doctor prerequisites` looks for it in a cluster.'],
    ...management.length === 0 ? [] : ['### In the management cluster', table(management, named.length > 1 ? named : undefined)],
    ...prerequisites.some(ofTenants) ? ['### In tenant clusters', table(prerequisites.filter(ofTenants), tenants)] : [],
    ...imagesText(images),
  ];
}

/** @param clusters those to tell apart; undefined where there is one */
function table(prerequisites: ReportedPrerequisite[], clusters?: string[]): string[] {
  const columns = ['kind', 'name', 'which', 'needed by', ...clusters ? ['clusters'] : []];
  return markdownTable(columns, prerequisites.map(each => [
    kindText(each),
    each.apiVersion === undefined || each.name.startsWith('(') ? markdownText(each.name) : markdownCode([each.namespace, each.name].filter(Boolean).join('/')),
    whichText(each),
    some(each.neededBy),
    ...clusters ? [each.clusters.length === clusters.length && clusters.length > 1 ? 'all' : some(each.clusters)] : [],
  ]));
}

function kindText({ kind, apiVersion }: ReportedPrerequisite): string {
  return kind === 'API' ? `API ${markdownCode(apiVersion!)}` : markdownText(kind);
}

function whichText({ reason, labels, read }: ReportedPrerequisite): string {
  return [
    markdownText(reason),
    ...labels ? [`with ${Object.entries(labels).map(([name, value]) => `${markdownCode(name)}: ${markdownCode(value)}`).join(', ')}`] : [],
    ...read === undefined ? [] : [`read: ${markdownText(read)}`],
  ].join('; ');
}

function imagesText(images: ExposureReportDocument['images']): string[][] {
  const open = images.filter(({ complete }) => !complete);
  return images.length === 0 ? [] : [[
    `Images to mirror where nodes reach no registry: ${images.length - open.length}, in the list beside this report.`,
    ...open.length === 0 ? [] : [`The operator's release decides on the tags of ${open.map(({ image }) => markdownCode(image)).join(', ')}.`],
    'The images of the operators themselves are in their charts.',
  ]];
}

function some(names: string[]): string {
  return `${names.slice(0, NAMED).map(markdownText).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`;
}

function isTenant(cluster: string): boolean {
  return cluster.includes('/');
}
