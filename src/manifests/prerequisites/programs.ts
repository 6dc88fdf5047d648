import { OPERATOR, Reference } from './prerequisite';
import { groupOf, Source } from '../source';

/** A program of others that must run for an API to have an effect. */
export interface Program {
  readonly name: string;
  /** API groups that it serves. */
  readonly groups: RegExp;
  /** What the images of its pods are called, without registry and tag. */
  readonly image: RegExp;
}

/**
 * Where several programs serve one group, that which is known by the kind comes first. What serves Ingresses and the Gateway
 * API has many names: a class stands for it.
 */
const PROGRAMS: readonly (Program & { readonly kinds?: RegExp })[] = [
  { name: 'Kamaji', groups: /^kamaji\.clastix\.io$/, image: /(^|\/)kamaji$/ },
  { name: 'Steward', groups: /^steward\.butlerlabs\.dev$/, image: /(^|\/)steward$/ },
  { name: "Kamaji's provider of Cluster API", groups: /^controlplane\.cluster\.x-k8s\.io$/, kinds: /^Kamaji/, image: /cluster-api-control-plane-provider-kamaji$/ },
  { name: 'k0smotron', groups: /^(k0smotron\.io|(controlplane|bootstrap|infrastructure)\.cluster\.x-k8s\.io)$/, kinds: /^(K0s|Cluster$|JoinToken|Remote|Pooled)/, image: /(^|\/)k0smotron$/ },
  { name: 'HyperShift', groups: /^hypershift\.openshift\.io$/, image: /(^|\/)hypershift[\w-]*$/ },
  { name: "Hetzner's provider of Cluster API", groups: /^infrastructure\.cluster\.x-k8s\.io$/, kinds: /^(Hetzner|HCloud)/, image: /(^|\/)caph[\w-]*$/ },
  { name: 'k0rdent', groups: /^k0rdent\.mirantis\.com$/, image: /(^|\/)(kcm|k0rdent)[\w-]*$/ },
  { name: 'Cluster API', groups: /^(addons\.)?cluster\.x-k8s\.io$/, image: /(^|\/)cluster-api-controller[\w-]*$/ },
  { name: 'cert-manager', groups: /(^|\.)cert-manager\.io$/, image: /cert-manager-controller$/ },
  { name: 'Flux', groups: /\.toolkit\.fluxcd\.io$/, image: /(^|\/)(kustomize|helm|source)-controller$/ },
  { name: 'Argo CD', groups: /^argoproj\.io$/, image: /(^|\/)argo-?cd[\w-]*$/ },
  { name: 'external-dns', groups: /^externaldns\.k8s\.io$/, image: /(^|\/)external-dns$/ },
  { name: 'Traefik', groups: /^traefik\.io$/, image: /(^|\/)traefik$/ },
  { name: 'Contour', groups: /^projectcontour\.io$/, image: /(^|\/)contour$/ },
  { name: "NGINX's ingress controller (F5)", groups: /^k8s\.nginx\.org$/, image: /nginx-(plus-)?ingress$/ },
  { name: 'Istio', groups: /\.istio\.io$/, image: /(^|\/)(istio\/)?pilot$/ },
  { name: 'the ingress controller of OpenShift', groups: /^route\.openshift\.io$/, image: /haproxy-router|cluster-ingress-operator/ },
];

/** The program that an object is for; undefined for what Kubernetes does by itself, and for kinds that are not known. */
export function programFor(source: Source): Reference | undefined {
  const program = PROGRAMS.find(({ groups, kinds }) => groups.test(groupOf(source)) && (kinds?.test(source.kind) ?? true));
  return program && { apiVersion: '', kind: OPERATOR, name: program.name, reason: 'acts on these objects' };
}

/** Whether the image of a pod is that of a program; undefined for a program that is not known here. */
export function isImageOf(programName: string, image: string): boolean | undefined {
  return PROGRAMS.find(({ name }) => name === programName)?.image.test(image.replace(/@.*$/, '').replace(/:[^/:]*$/, ''));
}
