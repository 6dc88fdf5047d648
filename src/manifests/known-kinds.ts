import { ROUTE_READERS } from './read-routes';
import { groupAndKind, groupOf, Source } from './source';

/** Groups of which no kind routes at a shared address, or every kind that does is read. */
const KNOWN_GROUPS = [
  /^$/, /^(apps|batch|policy|argoproj\.io)$/, /\.k8s\.io$/, /^externaldns\.k8s\.io$/, /(^|\.)cert-manager\.io$/, /\.coreos\.com$/, /\.toolkit\.fluxcd\.io$/,
  /^kamaji\.clastix\.io$/, /^steward\.butlerlabs\.dev$/, /^k0smotron\.io$/, /(^|\.)cluster\.x-k8s\.io$/, /^k0rdent\.mirantis\.com$/, /\.openshift\.io$/,
  // A Gateway of Istio lets hosts in; a VirtualService routes them.
  /\.istio\.io$/,
];
const KNOWN_KINDS = [...ROUTE_READERS.keys(), ...['traefik.io', 'traefik.containo.us'].flatMap(group => [`${group} IngressRoute`, `${group} MiddlewareTCP`])];

/** Whether an object may be the route of a controller that is not known here. */
export function mayRoute(source: Source): boolean {
  return !KNOWN_KINDS.includes(groupAndKind(source)) && !KNOWN_GROUPS.some(known => known.test(groupOf(source)));
}
