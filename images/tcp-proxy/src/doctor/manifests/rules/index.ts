import * as certificates from './certificates';
import * as dns from './dns';
import * as endpoints from './endpoints';
import * as gatewayApi from './gateway-api';
import * as hosts from './hosts';
import * as konnectivity from './konnectivity';
import * as passthrough from './passthrough';
import * as proxyPods from './proxy-pods';
import * as proxyUpstream from './proxy-upstream';
import * as routes from './routes';
import { Rule } from './rule';

/** All rules, by code. */
export const RULES: Rule[] = [certificates, dns, endpoints, gatewayApi, hosts, konnectivity, passthrough, proxyPods, proxyUpstream, routes]
  .flatMap((group): Rule[] => Object.values(group))
  .sort((a, b) => (a.code < b.code ? -1 : 1));
