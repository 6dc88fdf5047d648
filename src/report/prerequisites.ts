import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ExposureReportDocument, ReportedPrerequisite } from './report-document';
import { NAME_LABEL } from '../agent/contract/bundle';
import { REGISTRATION_APP } from '../agent/contract/registrations';
import { GATEWAY_APP } from '../agent/contract/routing-tables';
import { Required, requiredFor } from '../control-plane/required-objects';
import { DeliveredTenant } from '../delivery/delivered-tenant';
import { TenantCharts } from '../delivery/tenant-charts';
import { broughtBy, certificateKeys, ImageUse, imagesOf, isRead, OPERATOR, Prerequisite, prerequisitesOf } from '../manifests/prerequisites';
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

/** Labels of ConfigMaps that are read: the list of a registration, and the maps of a shared gateway. */
const LISTS = [REGISTRATION_APP, GATEWAY_APP];

/** What goes to one cluster. */
interface Contents {
  readonly objects: ApiObject[];
  /** Keys of what somebody else brings there. */
  readonly given: string[];
}

/** What must exist before the manifests below a construct work, of all clusters that they go to. */
export function reportedPrerequisites(scope: IConstruct, exposures: Exposure[]): Pick<ExposureReportDocument, 'prerequisites' | 'images'> {
  const known = new Map<string, Found>();
  const images = new Map<string, FoundImage>();
  const required = requiredOf(exposures);
  for (const [cluster, { objects, given }] of contentsBelow(scope)) {
    const sources = objects.flatMap(sourceOf);
    prerequisitesOf(sources, given, objects.flatMap(object => required.get(object) ?? [])).forEach(found => add(known, cluster, found));
    imagesOf(sources).forEach(image => addImage(images, cluster, image));
  }
  return {
    prerequisites: [...known.values()].map(reported),
    images: [...images].sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([image, { complete, clusters, usedBy }]) => ({ image, complete, clusters: [...clusters].sort(), usedBy: [...usedBy].sort() })),
  };
}

/**
 * The clusters, those of control planes first. A chart that nobody has assigned to one holds no object of this library: it is the
 * platform's own.
 */
function contentsBelow(scope: IConstruct): Map<string, Contents> {
  const contents = new Map<string, Contents>();
  const clusterFor = (object: ApiObject) => clusterOf(Chart.of(object)) ?? ManagementCluster._nameAt(Chart.of(object));
  const contentsOf = (cluster: string) => contents.get(cluster) ?? contents.set(cluster, { objects: [], given: [] }).get(cluster)!;
  const below = new Set(objectsOf(scope));
  below.forEach(object => contentsOf(clusterFor(object)).objects.push(object));
  const others = objectsOf(scope.node.root).filter(object => !below.has(object));
  for (const other of others) {
    contents.get(clusterFor(other))?.given.push(...broughtBy(sourceOf(other)));
  }
  for (const chart of scope.node.findAll().flatMap(construct => construct instanceof TenantCharts ? construct._tenantCharts : [])) {
    const certificate = DeliveredTenant.of(chart)?.certificate;
    const { objects, given } = contentsOf(clusterOf(chart)!);
    objects.push(...objectsOf(chart.node.root));
    given.push(...certificate ? certificateKeys(certificate) : []);
  }
  return new Map([...contents].sort(([a], [b]) => Number(a.includes('/')) - Number(b.includes('/')) || (a < b ? -1 : 1)));
}

function objectsOf(scope: IConstruct): ApiObject[] {
  return scope.node.findAll().filter(ApiObject.isApiObject);
}

/** Rendering is what synthesis spends its time on, and ConfigMaps hold whole tenants: most objects matter by their names alone. */
function sourceOf(object: ApiObject): Source[] {
  const { apiVersion, kind, name, metadata: { namespace } } = object;
  const isList = kind === 'ConfigMap' && LISTS.includes(String(object.metadata.getLabel(NAME_LABEL)));
  return sourcesOf(isRead(object) || isList || isPatched(object) ? object.toJson() : { apiVersion, kind, metadata: { namespace, name } }, '', 1);
}

/** A patch may change what an object is called. cdk8s keeps them to itself: one that has no such list is taken to have some. */
function isPatched(object: ApiObject): boolean {
  const { patches } = object as unknown as { readonly patches?: unknown[] };
  return patches?.length !== 0;
}

/** What platforms and controllers say of control planes, by their custom resources. */
function requiredOf(exposures: Exposure[]): Map<ApiObject, Prerequisite[]> {
  return new Map(exposures.map(exposure => requiredFor(exposure)).filter((each): each is Required => each !== undefined).map(({ object, required }) =>
    [object, required.map(each => ({
      ...each,
      apiVersion: each.apiVersion ?? (each.kind === OPERATOR ? '' : 'v1'),
      neededBy: [`${object.kind} ${object.metadata.namespace}/${object.name}`],
    }))]));
}

/** What is needed alike, with where and by whom. */
interface Found {
  readonly prerequisite: Prerequisite;
  readonly clusters: Set<string>;
  readonly neededBy: Set<string>;
}

function add(found: Map<string, Found>, cluster: string, prerequisite: Prerequisite): void {
  const { neededBy, ...alike } = prerequisite;
  const key = JSON.stringify(alike);
  const known = found.get(key) ?? { prerequisite, clusters: new Set<string>(), neededBy: new Set<string>() };
  found.set(key, known);
  known.clusters.add(cluster);
  neededBy.forEach(user => known.neededBy.add(user));
}

function reported({ prerequisite: { apiVersion, ...prerequisite }, clusters, neededBy }: Found): ReportedPrerequisite {
  const read = prerequisite.kind === OPERATOR ? READ_OF[prerequisite.name] : undefined;
  return {
    ...prerequisite,
    ...apiVersion === '' ? {} : { apiVersion },
    ...read === undefined ? {} : { read },
    clusters: [...clusters].sort(),
    neededBy: [...neededBy].sort(),
  };
}

interface FoundImage {
  readonly complete: boolean;
  readonly clusters: Set<string>;
  readonly usedBy: Set<string>;
}

function addImage(images: Map<string, FoundImage>, cluster: string, { image, complete, usedBy }: ImageUse): void {
  const known = images.get(image) ?? { complete, clusters: new Set<string>(), usedBy: new Set<string>() };
  images.set(image, known);
  known.clusters.add(cluster);
  usedBy.forEach(user => known.usedBy.add(user));
}
