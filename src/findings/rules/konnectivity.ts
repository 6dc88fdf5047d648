import { Rule, someOf } from './rule';
import { isKonnectivityFoundByPort } from '../../manifests/by-port';
import { ControlPlane } from '../../manifests/control-plane';
import { Field, pickList, pickNumber, pickTexts } from '../../manifests/fields';
import { flagValues } from '../../manifests/flags';
import { hostOf } from '../../manifests/host';
import { apiPlace, areElsewhere, konnectivityPlace } from '../../manifests/places';
import { Platform } from '../../manifests/platform';
import { podSpecOf } from '../../manifests/proxy';
import { Source } from '../../manifests/source';

const HTTPS = 443;
const REPLICAS = 2;

export const agentWithoutHost: Rule = {
  code: 'HCP701',
  severity: 'error',
  title: "Kamaji's konnectivity agents dial an address inside the management cluster",
  check: platform => platform.controlPlanes
    .filter(({ system, exposure, konnectivity: { enabled, host } }) => system === 'Kamaji' && exposure === 'ingress' && enabled && host === undefined)
    .map(({ source }) => ({
      source,
      field: 'spec.addons.konnectivity.agent.extraArgs',
      message: 'has no --proxy-server-host: with an ingress Kamaji leaves the ClusterIP and port 8132 there, which workers do not reach',
      remedy: `Add --proxy-server-host=<konnectivity host> and --proxy-server-port=${HTTPS}`,
    })),
};

export const agentPort: Rule = {
  code: 'HCP702',
  severity: 'error',
  title: 'konnectivity agents dial a port that the shared address does not have',
  check: platform => platform.controlPlanes.flatMap(controlPlane => {
    const { source, exposure, api, service, konnectivity: { enabled, host, port, derived } } = controlPlane;
    if (!enabled || exposure !== 'ingress' || host === undefined || derived || source.kind === 'Cluster' || service === undefined) return [];
    if (!['TenantControlPlane', 'KamajiControlPlane'].includes(source.kind)) return [];
    const wanted = api?.port ?? HTTPS;
    if (port?.value === wanted || isElsewhere(controlPlane, platform)) return [];
    return [{
      source,
      field: 'spec.addons.konnectivity.agent.extraArgs',
      message: `agents dial ${host.host}:${port?.value ?? service.konnectivityPort}, but the ingress listens on ${wanted} (clastix/kamaji#322)`,
      remedy: `Add --proxy-server-port=${wanted}; ${service.konnectivityPort} is the port of the Service`,
    }];
  }),
};

/** Whether konnectivity is not where the API is, so that its port may be another one. */
function isElsewhere(controlPlane: ControlPlane, platform: Platform): boolean {
  return isKonnectivityFoundByPort(controlPlane, platform)
    || areElsewhere(apiPlace(controlPlane, platform), konnectivityPlace(controlPlane, platform));
}

export const deployedAgent: Rule = {
  code: 'HCP703',
  severity: 'error',
  title: 'a konnectivity agent dials a host that no control plane has for it',
  check: platform => {
    const hosts = new Set(platform.controlPlanes.flatMap(({ konnectivity }) => (konnectivity.host ? [konnectivity.host.host] : [])));
    return platform.sources.filter(({ name }) => /konnectivity-agent/.test(name)).flatMap(source => dialledHosts(source).flatMap(({ value, path }) => {
      const inside = /^kubernetes(\.default|$)/.test(value);
      if (hosts.has(hostOf(value, path).host) || (hosts.size === 0 && !inside)) return [];
      return [{
        source,
        field: path,
        message: inside
          ? `dials ${value}, which needs the proxy and the network that the agent is for (openshift/cluster-network-operator#2311)`
          : `dials ${value}, but konnectivity is at ${someOf([...hosts])}`,
        remedy: 'Write the konnectivity host of its control plane',
      }];
    }));
  },
};

/** Hosts in the arguments of a deployed agent. */
function dialledHosts(source: Source): Field<string>[] {
  return pickList(podSpecOf(source), 'containers').flatMap((container, i) =>
    flagValues([...pickTexts(container, 'command'), ...pickTexts(container, 'args')], '--proxy-server-host')
      .map(value => ({ value, path: `spec.template.spec.containers[${i}].args` })));
}

export const serverCount: Rule = {
  code: 'HCP704',
  severity: 'error',
  title: 'konnectivity agents connect to fewer servers than there are',
  check: platform => platform.controlPlanes.flatMap(({ source }) => {
    const field = 'spec.addons.konnectivity.server.extraArgs';
    const [count] = flagValues(pickTexts(source.object, field), '--server-count');
    const replicas = pickNumber(source.object, 'spec.controlPlane.deployment.replicas') ?? pickNumber(source.object, 'spec.replicas') ?? REPLICAS;
    return count === undefined || Number(count) === replicas ? [] : [{
      source,
      field,
      message: `--server-count is ${count} for ${replicas} replicas, so exec and logs fail part of the time (kubernetes-sigs/apiserver-network-proxy#394)`,
      remedy: 'Take the flag away: the operator sets it to the replicas',
    }];
  }),
};
