import { Fault, nameOf, Rule } from './rule';
import { ControlPlane } from '../../manifests/control-plane';
import { RECONCILER_FLAG } from '../../manifests/endpoint-owner';
import { pick, pickRecord, pickText } from '../../manifests/fields';
import { DEFAULT_K0S_VERSION, takesHostNames } from '../../manifests/k0s-version';
import { Platform, proxiesOf } from '../../manifests/platform';

export const k0sVersion: Rule = {
  code: 'HCP108',
  severity: 'error',
  title: 'a version of k0s cannot be exposed by host names',
  check: platform => behindIngress(platform).flatMap(({ source, system }) => {
    const field = system === 'k0rdent' ? 'spec.config.k0s.version' : 'spec.version';
    const version = pickText(source.object, field) ?? (source.kind === 'Cluster' ? DEFAULT_K0S_VERSION : undefined);
    return version === undefined || takesHostNames(version) ? [] : [{
      source,
      field,
      message: `${version} takes no host:port as external address, so the API server does not start; k0smotron's webhook checks 1.34 alone`,
      remedy: 'Use 1.31.13, 1.32.10, 1.33.6, 1.34.1, 1.35.1 or newer',
    }];
  }),
};

export const k0sConfiguration: Rule = {
  code: 'HCP113',
  severity: 'error',
  title: 'a setting of k0s contradicts the ingress',
  check: platform => behindIngress(platform).flatMap(controlPlane => {
    const spec = controlPlane.system === 'k0rdent' ? 'spec.config.k0s' : 'spec.k0sConfig.spec';
    const flags = pickRecord(controlPlane.source.object, `${spec}.api.extraArgs`);
    const reconciler = flags[RECONCILER_FLAG.slice('--'.length)];
    const fault = (field: string, message: string, remedy: string): Fault => ({ source: controlPlane.source, field: `${spec}.${field}`, message, remedy });
    return [
      ...(pick(controlPlane.source.object, `${spec}.network.nodeLocalLoadBalancing.enabled`) === true
        ? [fault('network.nodeLocalLoadBalancing.enabled', 'is true, which k0s refuses together with an external address', 'Leave it out')]
        : []),
      ...(reconciler !== undefined && reconciler !== 'none'
        ? [fault('api.extraArgs', `has endpoint-reconciler-type: ${String(reconciler)}, so the API server and the tcp-proxy both write default/kubernetes in turn`, 'Leave it out')]
        : []),
      ...(String(flags['anonymous-auth']) === 'false' && asksForHealth(controlPlane, platform)
        ? [fault('api.extraArgs', 'has anonymous-auth: false, so the tcp-proxy cannot ask the API server for its health', 'Leave it out')]
        : []),
    ];
  }),
};

/** k0smotron takes `host` in the place of an address everywhere but here. */
export const externalAddress: Rule = {
  code: 'HCP114',
  severity: 'error',
  title: 'the external address of a k0smotron Cluster has a port',
  check: platform => platform.controlPlanes.filter(({ system }) => system === 'k0smotron').flatMap(({ source }) => {
    const address = pickText(source.object, 'spec.externalAddress') ?? '';
    return /^[^:]+:\d+$/.test(address) ? [{
      source,
      field: 'spec.externalAddress',
      message: `"${address}" has a port, and ${nameOf(source)} adds that of its Service`,
      remedy: `Write ${address.replace(/:\d+$/, '')}; the public port is spec.ingress.port`,
    }] : [];
  }),
};

function behindIngress({ controlPlanes }: Platform): ControlPlane[] {
  return controlPlanes.filter(({ system, exposure }) => (system === 'k0smotron' || system === 'k0rdent') && exposure === 'ingress');
}

function asksForHealth(controlPlane: ControlPlane, platform: Platform): boolean {
  return proxiesOf(controlPlane, platform).some(({ haproxyConfig }) => haproxyConfig !== undefined);
}
