import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ReportedImage, ReportedPrerequisite } from './report-document';
import { Required, requiredFor } from '../control-plane/required-objects';
import { DeliveredTenant } from '../delivery/delivered-tenant';
import { TenantCharts } from '../delivery/tenant-charts';
import { broughtBy, certificateKeys, ImageUse, imagesOf, Prerequisite, prerequisitesOf } from '../manifests/prerequisites';
import { Source, sourcesOf } from '../manifests/source';
import { Exposure } from '../model/exposure';
import { clusterOf } from '../synthesis/chart-cluster';
import { ManagementCluster } from '../synthesis/management-cluster';
import { KUBERNETES_UNDER_K0SMOTRON } from '../versions/k0s';
import { KUBERNETES_UNDER_KAMAJI, KUBERNETES_UNDER_STEWARD } from '../versions/kubernetes';

/** Which releases of programs this library was made with. */
const READ_OF: { readonly [program: string]: string } = {
  Kamaji: KUBERNETES_UNDER_KAMAJI.read, Steward: KUBERNETES_UNDER_STEWARD.read, k0smotron: KUBERNETES_UNDER_K0SMOTRON.read,
};

/** What goes to one cluster. */
interface Contents {
  readonly objects: ApiObject[];
  /** Keys of what somebody else brings there. */
  readonly given: string[];
}

/** What must exist before the manifests below a construct work, of all clusters that they go to. */
export function reportedPrerequisites(scope: IConstruct, exposures: Exposure[]): { prerequisites: ReportedPrerequisite[]; images: ReportedImage[] } {
  const known = new Map<string, ReportedPrerequisite & { clusters: string[]; neededBy: string[] }>();
  const images = new Map<string, { complete: boolean; clusters: Set<string>; usedBy: Set<string> }>();
  for (const [cluster, { objects, given }] of contentsBelow(scope)) {
    const sources = objects.flatMap(sourceOf);
    prerequisitesOf(sources, given, requiredOf(exposures, objects)).forEach(found => add(known, cluster, found));
    imagesOf(sources).forEach(image => addImage(images, cluster, image));
  }
  return {
    prerequisites: [...known.values()].map(each => ({ ...each, clusters: distinct(each.clusters), neededBy: distinct(each.neededBy) })),
    images: [...images].map(([image, { complete, clusters, usedBy }]) => ({ image, complete, clusters: [...clusters].sort(), usedBy: [...usedBy].sort() }))
      .sort((a, b) => (a.image < b.image ? -1 : 1)),
  };
}

/** The clusters, those of control planes first. A chart that nobody has assigned to one holds no object of this library: it is the platform's own. */
function contentsBelow(scope: IConstruct): Map<string, Contents> {
  const contents = new Map<string, Contents>();
  const below = new Set(objectsOf(scope));
  for (const object of below) {
    const cluster = clusterOf(Chart.of(object)) ?? unassigned(scope);
    const { objects } = contents.get(cluster) ?? contents.set(cluster, { objects: [], given: [] }).get(cluster)!;
    objects.push(object);
  }
  const others = objectsOf(scope.node.root).filter(object => !below.has(object));
  for (const other of others) {
    const cluster = clusterOf(Chart.of(other)) ?? unassigned(scope);
    contents.get(cluster)?.given.push(...broughtBy(sourceOf(other)));
  }
  for (const chart of scope.node.findAll().flatMap(construct => construct instanceof TenantCharts ? construct._tenantCharts : [])) {
    const certificate = DeliveredTenant.of(chart)?.certificate;
    contents.set(clusterOf(chart)!, { objects: objectsOf(chart.node.root), given: certificate ? certificateKeys(certificate) : [] });
  }
  return new Map([...contents].sort(([a], [b]) => Number(a.includes('/')) - Number(b.includes('/')) || (a < b ? -1 : 1)));
}

function unassigned(scope: IConstruct): string {
  return ManagementCluster.of(scope).name;
}

function objectsOf(scope: IConstruct): ApiObject[] {
  return scope.node.findAll().filter(ApiObject.isApiObject);
}

function sourceOf(object: ApiObject): Source[] {
  return sourcesOf(object.toJson(), '', 1);
}

/** What platforms and controllers say of the control planes among the objects. */
function requiredOf(exposures: Exposure[], objects: ApiObject[]): Prerequisite[] {
  const among = new Set(objects);
  return exposures.map(exposure => requiredFor(exposure)).filter((each): each is Required => each !== undefined && among.has(each.object))
    .flatMap(({ object, required }) => required.map(({ apiVersion, ...each }) => ({
      ...each,
      apiVersion: apiVersion ?? (each.kind === 'Operator' ? '' : 'v1'),
      neededBy: [`${object.kind} ${object.metadata.namespace}/${object.name}`],
    })));
}

function add(known: Map<string, ReportedPrerequisite & { clusters: string[]; neededBy: string[] }>, cluster: string, found: Prerequisite): void {
  const { apiVersion, neededBy, labels, ...rest } = found;
  const key = JSON.stringify([apiVersion, labels, rest]);
  const same = known.get(key);
  if (same) {
    same.clusters.push(cluster);
    same.neededBy.push(...neededBy);
    return;
  }
  const read = rest.kind === 'Operator' ? READ_OF[rest.name] : undefined;
  known.set(key, {
    ...rest,
    ...apiVersion === '' ? {} : { apiVersion },
    ...labels ? { labels: { ...labels } } : {},
    ...read === undefined ? {} : { read },
    clusters: [cluster],
    neededBy: [...neededBy],
  });
}

function addImage(images: Map<string, { complete: boolean; clusters: Set<string>; usedBy: Set<string> }>, cluster: string, { image, complete, usedBy }: ImageUse): void {
  const known = images.get(image) ?? { complete, clusters: new Set<string>(), usedBy: new Set<string>() };
  images.set(image, known);
  known.clusters.add(cluster);
  usedBy.forEach(user => known.usedBy.add(user));
}

function distinct(texts: string[]): string[] {
  return [...new Set(texts)].sort();
}
