import {
  F5_NGINX_CHART_FACTS, HAPROXY_CHART_FACTS, HAPROXY_INGRESS_CHART_FACTS, INGRESS_NGINX_CHART_FACTS, TRAEFIK_CHART_FACTS,
} from './charts';
import { KUBERNETES_UNDER_K0SMOTRON } from './k0s';
import { KUBERNETES_UNDER_KAMAJI, KUBERNETES_UNDER_STEWARD } from './kubernetes';
import { VersionFacts } from './version-facts';

/** Everything whose versions this library has an opinion on, in the order of the table in docs/upgrading.md. */
export const ALL_VERSION_FACTS: readonly VersionFacts[] = [
  KUBERNETES_UNDER_STEWARD,
  KUBERNETES_UNDER_KAMAJI,
  KUBERNETES_UNDER_K0SMOTRON,
  TRAEFIK_CHART_FACTS.versions,
  HAPROXY_CHART_FACTS.versions,
  HAPROXY_INGRESS_CHART_FACTS.versions,
  INGRESS_NGINX_CHART_FACTS.versions,
  F5_NGINX_CHART_FACTS.versions,
];
