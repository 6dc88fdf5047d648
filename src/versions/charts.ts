import { KnownVersions, VersionFacts } from './version-facts';

/** A value that only some versions of a chart read; the others take it without an error, and ignore it. */
export interface MovedValue {
  /** Where it is, e.g. `service.type`; `*` stands for any key. */
  readonly path: string;
  /**
   * The first version that reads it.
   * @default - older than all that were read
   */
  readonly since?: string;
  /**
   * The first version that reads it no more.
   * @default - it is still read
   */
  readonly until?: string;
  /** What to write instead; a sentence without its full stop. */
  readonly remedy: string;
}

/** What is known of the versions of the Helm chart of an ingress controller. */
export interface ChartFacts {
  readonly versions: VersionFacts;
  /** Values that not every version reads, among those that are written here or that users are likely to write. */
  readonly moved: readonly MovedValue[];
}

const OVERRIDE = 'newestChartVersion of the installation';

/** `loadBalancerClass` of the Service, where releases before one ignore it. */
function loadBalancerClassSince(since: string): MovedValue {
  return { path: 'controller.service.loadBalancerClass', since, remedy: `Use the chart ${since} or newer, or leave the class out` };
}

function notReadBefore(before: string): KnownVersions {
  return { before, breaks: false, reason: 'is older than all that were read', remedy: `Use ${before} or newer` };
}

/** The first version of Traefik's chart that has the Service's type and source ranges in `service.spec`, and nowhere else. */
export const TRAEFIK_SERVICE_IN_SPEC_SINCE = '40';

/** traefik/traefik-helm-chart, `traefik/templates` of every release from 27.0.0 on. */
export const TRAEFIK_CHART_FACTS: ChartFacts = {
  versions: {
    subject: 'the chart traefik',
    read: 'traefik 41.3.0',
    newest: '41',
    known: [{
      before: '27',
      breaks: true,
      reason: 'is older than 27.0.0, the first version of the chart traefik with the values that are used',
      remedy: 'Use a newer one',
    }],
    override: OVERRIDE,
  },
  moved: [
    ...['type', 'loadBalancerClass', 'loadBalancerSourceRanges', 'externalIPs', 'ipFamilyPolicy', 'ipFamilies'].map(key => ({
      path: `service.${key}`, until: TRAEFIK_SERVICE_IN_SPEC_SINCE, remedy: `Write service.spec.${key}`,
    })),
    // `type` is written twice there, and one of the two is lost.
    { path: 'service.spec.type', since: TRAEFIK_SERVICE_IN_SPEC_SINCE, remedy: 'Write service.type' },
    { path: 'logs.general', until: '41', remedy: 'Write log' },
    { path: 'logs.access', until: '41', remedy: 'Write accessLog' },
    { path: 'log', since: '41', remedy: 'Write logs.general' },
    { path: 'accessLog', since: '41', remedy: 'Write logs.access' },
    // Before that it installs Traefik 2, where every route is at every entry point that it does not name.
    { path: 'ports.*.asDefault', since: '28', remedy: 'Use the chart 28.0.0 or newer, or leave portRange of the controller out' },
  ],
};

/** The first version of HAProxy Technologies' chart that asks for UDP beside TCP, and has a class of the load balancer. */
export const HAPROXY_QUIC_SINCE = '1.38';
/** The first version of it with a public port of metrics and pprof, `prometheus`. */
export const HAPROXY_PROMETHEUS_PORT_SINCE = '1.33';
/** The first version of it that calls that port `admin`. */
export const HAPROXY_ADMIN_PORT_SINCE = '1.44.4';

/** haproxytech/helm-charts, `kubernetes-ingress/templates` of every release from 1.30.1 on. */
export const HAPROXY_CHART_FACTS: ChartFacts = {
  versions: {
    subject: 'the chart kubernetes-ingress',
    read: 'kubernetes-ingress 1.52.1',
    newest: '1.52',
    known: [notReadBefore('1.30')],
    override: OVERRIDE,
  },
  moved: [
    loadBalancerClassSince(HAPROXY_QUIC_SINCE),
    { path: 'controller.service.enablePorts.quic', since: HAPROXY_QUIC_SINCE, remedy: 'Leave it out: there is no such port' },
    { path: 'controller.service.enablePorts.prometheus', until: HAPROXY_ADMIN_PORT_SINCE, remedy: 'Write controller.service.enablePorts.admin' },
    { path: 'controller.service.enablePorts.admin', since: HAPROXY_ADMIN_PORT_SINCE, remedy: 'Write controller.service.enablePorts.prometheus' },
  ],
};

/** haproxy-ingress/charts, `haproxy-ingress/templates`. */
export const HAPROXY_INGRESS_CHART_FACTS: ChartFacts = {
  versions: {
    subject: 'the chart haproxy-ingress',
    read: 'haproxy-ingress 0.16.1',
    newest: '0.16',
    known: [{
      before: '0.13.5', breaks: true, reason: 'cannot make an IngressClass, so nothing would be served', remedy: 'Use 0.13.5 or newer',
    }],
    override: OVERRIDE,
  },
  moved: [loadBalancerClassSince('0.14.6')],
};

/** kubernetes/ingress-nginx, `charts/ingress-nginx/templates`. */
export const INGRESS_NGINX_CHART_FACTS: ChartFacts = {
  versions: {
    subject: 'the chart ingress-nginx',
    read: 'ingress-nginx 4.15.1',
    newest: '4.15',
    known: [notReadBefore('4')],
    override: OVERRIDE,
  },
  moved: [loadBalancerClassSince('4.7.1')],
};

/** nginx/kubernetes-ingress, `charts/nginx-ingress/templates`. */
export const F5_NGINX_CHART_FACTS: ChartFacts = {
  versions: {
    subject: 'the chart nginx-ingress',
    read: 'nginx-ingress 2.6.4',
    newest: '2.6',
    known: [{
      before: '1', breaks: true, reason: 'has other names for the IngressClass', remedy: 'Use 1.0.2 or newer',
    }],
    override: OVERRIDE,
  },
  moved: [loadBalancerClassSince('2.5')],
};

/** Of each chart the version that was read, by the name of the chart. */
export const CHARTS_READ: { readonly [chart: string]: string } = Object.fromEntries(
  [TRAEFIK_CHART_FACTS, HAPROXY_CHART_FACTS, HAPROXY_INGRESS_CHART_FACTS, INGRESS_NGINX_CHART_FACTS, F5_NGINX_CHART_FACTS]
    .map(({ versions: { read } }) => read.split(' ') as [string, string]),
);
