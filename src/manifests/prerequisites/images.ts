import { containersOf, podsOf } from './pod-references';
import { pickEach, titleOf } from './prerequisite';
import { pick, pickList, pickText } from '../fields';
import { groupAndKind, Source } from '../source';
import { System } from '../systems';

/** An image that nodes pull. */
export interface ImageUse {
  /** As it is written, e.g. `ghcr.io/acme/proxy:1.2.3@sha256:…`. */
  readonly image: string;
  /** Whether it says which version: not where the operator's release decides on the tag. */
  readonly complete: boolean;
  /** The objects whose pods run it, as `Kind namespace/name`, sorted. */
  readonly usedBy: string[];
}

/** `quay.io/k0sproject/k0s` and etcd of k0smotron where a Cluster names none: the defaults of its CRD and webhook, read of 2.1. */
const K0S = 'quay.io/k0sproject/k0s';
const K0SMOTRON_ETCD = 'quay.io/k0sproject/etcd:v3.7.1';
/** The proxy that k0smotron brings to workers behind an ingress; its manifests name no other. */
const K0SMOTRON_PROXY = 'haproxy:2.8';
/** What of k0smotron's manifests that proxy is; a patch that takes it out leaves the image unused. */
const K0SMOTRON_PROXY_MANIFEST = '2_haproxy-ds.yaml';

type Reader = (object: unknown) => string[];

const READERS: { readonly [system in System]?: Reader } = {
  'kamaji.clastix.io TenantControlPlane': tenantControlPlaneImages,
  'steward.butlerlabs.dev TenantControlPlane': tenantControlPlaneImages,
  'controlplane.cluster.x-k8s.io KamajiControlPlane': object => [
    ...[['apiServer', 'kube-apiserver'], ['controllerManager', 'kube-controller-manager'], ['scheduler', 'kube-scheduler']].map(([component, name]) =>
      `${pickText(object, 'spec.registry') ?? REGISTRY}/${pickText(object, `spec.${component}.containerImageName`) ?? name}:${tagOf(pickText(object, 'spec.version'))}`),
    ...addonImages(object, pickText(object, 'spec.version')),
  ],
  'k0smotron.io Cluster': k0smotronImages,
  'controlplane.cluster.x-k8s.io K0smotronControlPlane': k0smotronImages,
  'hypershift.openshift.io HostedCluster': object => ['spec.release.image', 'spec.controlPlaneRelease.image'].flatMap(path => pickText(object, path) ?? []),
};

const REGISTRY = 'registry.k8s.io';

function tenantControlPlaneImages(object: unknown): string[] {
  const settings = 'spec.controlPlane.deployment.registrySettings';
  const version = pickText(object, 'spec.kubernetes.version');
  const images = [['apiServerImage', 'kube-apiserver'], ['controllerManagerImage', 'kube-controller-manager'], ['schedulerImage', 'kube-scheduler']].map(([field, name]) =>
    `${pickText(object, `${settings}.registry`) ?? REGISTRY}/${pickText(object, `${settings}.${field}`) ?? name}:${tagOf(version)}${pickText(object, `${settings}.tagSuffix`) ?? ''}`);
  const further = ['additionalContainers', 'additionalInitContainers'].flatMap(list => pickEach(object, `spec.controlPlane.deployment.${list}.*.image`));
  return [...images, ...addonImages(object, version), ...further.filter((image): image is string => typeof image === 'string')];
}

/** Kamaji and Steward choose the tags that nobody names by their own release. */
function addonImages(object: unknown, version: string | undefined): string[] {
  const addon = (name: string) => pick(object, `spec.addons.${name}`) !== undefined;
  const tagged = (image: string, tag: string | undefined) => tag === undefined ? image : `${image}:${tag}`;
  const konnectivity = (part: string, image: string) => tagged(pickText(object, `spec.addons.konnectivity.${part}.image`) ?? `${REGISTRY}/kas-network-proxy/${image}`,
    pickText(object, `spec.addons.konnectivity.${part}.version`));
  const kubeadm = (name: string, repository: string, image: string, tag?: string) =>
    tagged(`${pickText(object, `spec.addons.${name}.imageRepository`) ?? repository}/${image}`, pickText(object, `spec.addons.${name}.imageTag`) ?? tag);
  return [
    ...addon('konnectivity') ? [konnectivity('server', 'proxy-server'), konnectivity('agent', 'proxy-agent')] : [],
    ...addon('coreDNS') ? [kubeadm('coreDNS', `${REGISTRY}/coredns`, 'coredns')] : [],
    ...addon('kubeProxy') ? [kubeadm('kubeProxy', REGISTRY, 'kube-proxy', tagOf(version))] : [],
  ];
}

function k0smotronImages(object: unknown): string[] {
  const version = pickText(object, 'spec.version');
  const type = pickText(object, 'spec.storage.type') ?? 'etcd';
  const byKine = type !== 'etcd' || pick(object, 'spec.kineDataSourceURL') !== undefined || pick(object, 'spec.kineDataSourceSecretName') !== undefined;
  const behindIngress = pick(object, 'spec.ingress') !== undefined;
  const takenOut = pickList(object, 'spec.patches').some(patch => pickText(patch, 'patch.content')?.includes(`"${K0SMOTRON_PROXY_MANIFEST}":null`));
  return [
    `${pickText(object, 'spec.image') ?? K0S}${version === undefined ? '' : `:${tagOf(version)}`}`,
    ...byKine ? [] : [pickText(object, 'spec.storage.etcd.image') ?? pickText(object, 'spec.etcd.image') ?? K0SMOTRON_ETCD],
    ...behindIngress && !takenOut ? [K0SMOTRON_PROXY] : [],
  ];
}

/** A tag holds no `+`. */
function tagOf(version = ''): string {
  return version.replace('+', '-').replace(/^(?=\d)/, 'v');
}

/** The images of pods, and those of the control planes that operators run; not those of the operators. */
export function imagesOf(sources: Source[]): ImageUse[] {
  const users = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const image of imagesIn(source)) {
      users.set(image, (users.get(image) ?? new Set()).add(titleOf(source)));
    }
  }
  return [...users].map(([image, usedBy]): ImageUse => ({ image, complete: hasVersion(image), usedBy: [...usedBy].sort() }))
    .sort((a, b) => (a.image < b.image ? -1 : 1));
}

function imagesIn(source: Source): string[] {
  const reader = (READERS as { readonly [groupAndKind: string]: Reader | undefined })[groupAndKind(source)];
  const ofPods = podsOf(source).flatMap(pod => [
    ...containersOf(pod).map(container => pickText(container, 'image')),
    ...pickList(pod, 'volumes').map(volume => pickText(volume, 'image.reference')),
  ]);
  return [...ofPods, ...reader?.(source.object) ?? []].filter((image): image is string => image !== undefined && image !== '');
}

function hasVersion(image: string): boolean {
  return image.includes('@') || /:[^/:]+$/.test(image);
}
