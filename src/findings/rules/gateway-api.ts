import { Fault, nameOf, Rule } from './rule';
import { pick, pickTexts } from '../../manifests/fields';
import { Listener, listenersOfParent, namedListeners, ParentRef, parentRefsOf } from '../../manifests/gateway';
import { takes } from '../../manifests/host';
import { isRelevant, Platform } from '../../manifests/platform';
import { Source } from '../../manifests/source';

/** A parent of a TLSRoute whose Gateway is in the manifests. */
interface Attachment {
  readonly route: Source;
  readonly parent: ParentRef;
  readonly listeners: Listener[];
}

function attachments(platform: Platform): Attachment[] {
  const routes = platform.routes.filter(route => route.source.kind === 'TLSRoute' && isRelevant(route, platform));
  return [...new Set(routes.map(({ source }) => source))].flatMap(route => parentRefsOf(route).flatMap(parent => {
    const listeners = listenersOfParent(parent, platform.listeners);
    return listeners.length === 0 ? [] : [{ route, parent, listeners }];
  }));
}

function named({ parent, listeners }: Attachment): Listener[] {
  return namedListeners(parent, listeners);
}

export const withoutSection: Rule = {
  code: 'HCP401',
  severity: 'warning',
  title: 'a TLSRoute does not say which listener it wants',
  check: platform => attachments(platform)
    .filter(({ parent, listeners }) => parent.sectionName === undefined && parent.port === undefined && listeners.length > 1)
    .map(({ route, parent, listeners }) => ({
      source: route,
      field: `${parent.path}.sectionName`,
      message: `is missing, and Gateway ${parent.name} has ${listeners.length} listeners: it attaches to each that takes the host (clastix/kamaji#1083)`,
      remedy: `Name one of ${listeners.map(({ name }) => name).join(', ')}`,
    })),
};

export const noSuchListener: Rule = {
  code: 'HCP402',
  severity: 'error',
  title: 'a TLSRoute wants a listener that the Gateway does not have',
  check: platform => attachments(platform).filter(attachment => named(attachment).length === 0).map(({ route, parent, listeners }) => ({
    source: route,
    field: parent.path,
    message: `Gateway ${parent.name} has no listener ${parent.sectionName ?? ''}${parent.port === undefined ? '' : ` on port ${parent.port}`}`.trimEnd(),
    remedy: `Name one of ${listeners.map(({ name, port }) => `${name} (${port})`).join(', ')}`,
  })),
};

export const listenerHost: Rule = {
  code: 'HCP403',
  severity: 'error',
  title: 'a listener does not take the host of a TLSRoute',
  check: platform => attachments(platform).flatMap(attachment => {
    const listeners = named(attachment);
    return pickTexts(attachment.route.object, 'spec.hostnames')
      .filter(host => listeners.length > 0 && !listeners.some(({ hostname }) => hostname === undefined || takes(hostname, host.toLowerCase())))
      .map(host => ({
        source: attachment.route,
        field: 'spec.hostnames',
        message: `${host} does not match hostname ${listeners[0].hostname} of listener ${listeners[0].name} of ${nameOf(listeners[0].source)}`,
        remedy: 'Attach it to a listener that takes the host, or widen the hostname of this one',
      }));
  }),
};

export const listenerOpensTls: Rule = {
  code: 'HCP404',
  severity: 'error',
  title: 'a listener opens the TLS of a TLSRoute',
  check: platform => attachments(platform).flatMap(attachment => {
    const listeners = named(attachment);
    if (listeners.length === 0 || listeners.some(({ protocol, mode }) => protocol === 'TLS' && mode === 'Passthrough')) return [];
    const { source, path, name, protocol, mode } = listeners[0];
    return [{
      source,
      field: `${path}.tls.mode`,
      message: `listener ${name} has protocol ${protocol} and mode ${mode}, but ${nameOf(attachment.route)} must be passed through`,
      remedy: 'Set protocol: TLS and tls.mode: Passthrough',
    }];
  }),
};

export const listenerNamespace: Rule = {
  code: 'HCP405',
  severity: 'error',
  title: 'a listener takes no routes from the namespace of a TLSRoute',
  check: platform => attachments(platform).flatMap(attachment => {
    const listeners = named(attachment);
    const { route } = attachment;
    if (listeners.length === 0 || listeners.some(({ from, source }) => from !== 'Same' || source.namespace === route.namespace)) return [];
    return [{
      source: listeners[0].source,
      field: `${listeners[0].path}.allowedRoutes.namespaces.from`,
      message: `is Same, so routes of namespace ${route.namespace} are left out: ${nameOf(route)}`,
      remedy: 'Set Selector with a selector, or All',
    }];
  }),
};

export const mixedListeners: Rule = {
  code: 'HCP406',
  severity: 'warning',
  title: 'one port both passes through and opens TLS of overlapping hosts',
  check: platform => platform.listeners.filter(({ mode, protocol }) => protocol === 'TLS' && mode === 'Passthrough').flatMap(listener => platform.listeners
    .filter(({ source, port }) => source === listener.source && port === listener.port)
    .filter(({ protocol, mode, hostname }) => ['HTTPS', 'TLS'].includes(protocol) && mode === 'Terminate' && overlap(hostname, listener.hostname))
    .map((other): Fault => ({
      source: listener.source,
      field: listener.path,
      message: `listener ${listener.name} passes through what ${other.name} opens on port ${listener.port}; implementations call that a conflict (cilium/cilium#47590)`,
      remedy: 'Give passthrough a port or a Gateway of its own',
    }))),
};

function overlap(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || takes(a, b) || takes(b, a);
}

export const oldTlsRoute: Rule = {
  code: 'HCP407',
  severity: 'warning',
  title: 'a TLSRoute has a version that newer CRDs do not serve',
  check: platform => platform.sources.filter(({ kind, apiVersion }) => kind === 'TLSRoute' && apiVersion !== 'gateway.networking.k8s.io/v1').map(source => ({
    source,
    field: 'apiVersion',
    message: `${source.apiVersion} is served by the experimental channel of Gateway API alone since 1.5`,
    remedy: 'Write gateway.networking.k8s.io/v1, unless the CRDs of the cluster are older or of that channel',
  })),
};

export const ingressAndGateway: Rule = {
  code: 'HCP408',
  severity: 'error',
  title: 'a control plane has both an ingress and a gateway',
  check: platform => platform.controlPlanes
    .filter(({ source }) => ['spec.controlPlane', 'spec.network'].some(path =>
      pick(source.object, `${path}.ingress`) !== undefined && pick(source.object, `${path}.gateway`) !== undefined))
    .map(({ source }) => ({ source, message: 'has both ingress and gateway, which the CRD refuses', remedy: 'Leave one of them' })),
};
