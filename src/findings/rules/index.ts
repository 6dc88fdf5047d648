import * as certificates from './certificates';
import * as competition from './competition';
import * as dns from './dns';
import * as endpoints from './endpoints';
import * as fleets from './fleets';
import * as foreignEndpoints from './foreign-endpoints';
import * as gaps from './gaps';
import * as gatewayApi from './gateway-api';
import * as gatewayMaps from './gateway-maps';
import * as gatewayPorts from './gateway-ports';
import * as hostPolicies from './host-policies';
import * as hosts from './hosts';
import * as k0s from './k0s';
import * as konnectivity from './konnectivity';
import * as kubernetesService from './kubernetes-service';
import * as passthrough from './passthrough';
import * as proxyPods from './proxy-pods';
import * as proxyUpstream from './proxy-upstream';
import * as publication from './publication';
import * as references from './references';
import * as routes from './routes';
import { Rule } from './rule';
import * as talos from './talos';
import * as tenantAddresses from './tenant-addresses';
import * as tenantPorts from './tenant-ports';
import * as tenantProxies from './tenant-proxies';
import * as tunnels from './tunnels';
import * as unread from './unread';

/** All rules, by code. */
export const RULES: Rule[] = [
  certificates, competition, dns, endpoints, fleets, foreignEndpoints, gaps, gatewayApi, gatewayMaps, gatewayPorts, hostPolicies, hosts, k0s,
  konnectivity, kubernetesService, passthrough, proxyPods, proxyUpstream, publication, references, routes, talos, tenantAddresses,
  tenantPorts, tenantProxies, tunnels, unread,
]
  .flatMap((group): Rule[] => Object.values(group))
  .sort((a, b) => (a.code < b.code ? -1 : 1));
