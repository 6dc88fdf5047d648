import { isDeepStrictEqual } from 'util';
import { HOSTED_HETZNER_VERSION, NO_PLACEMENT_GROUPS } from './chart-fields';
import { requireSshKeys } from './chart-values';
import type { K0rdentConfigResult } from './config';
import { DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT } from '../../manifests/k0smotron-facts';
import { Exposure } from '../../model/exposure';
import { k0smotronServiceName } from '../../platforms/k0smotron/k0smotron-names';
import { K0smotronServiceType } from '../../platforms/k0smotron/k0smotron-props';
import { invalidInput } from '../../validation/invalid-input';
import { Checks, checkProps, optional, struct } from '../../validation/props';
import { wholeNumber } from '../../validation/whole-number';
import { HetznerAccessMode } from '../hetzner/hetzner-access';
import { HETZNER_SERVERS, HETZNER_SETTINGS } from '../hetzner/hetzner-checks';
import { HetznerClusterSettings, HetznerServers } from '../hetzner/hetzner-settings';
import { ResolvedHetznerSettings, resolveHetznerSettings, resolveServers } from '../hetzner/resolve-hetzner-settings';

/**
 * The values of the template `hetzner-hosted-cp` 1.2. Its chart makes no cluster without `sshKeyNames`, no pool without
 * workers and no placement groups.
 */
export interface K0rdentHostedHetznerProps extends HetznerClusterSettings {
  /** The workers. */
  readonly workers: HetznerServers;
  /**
   * Replicas of the control plane.
   * @default 1
   */
  readonly controlPlaneReplicas?: number;
}

const CHECKS: Checks<K0rdentHostedHetznerProps> = {
  ...HETZNER_SETTINGS,
  workers: struct(HETZNER_SERVERS, 'Give the pool, e.g. { type: "cx23", image: "ubuntu-24.04", replicas: 2 }'),
  controlPlaneReplicas: optional(wholeNumber('replicas', 1)),
};

/** What the chart writes into every Ingress, whatever its values say. */
const CHART_INGRESS = { className: 'haproxy', annotations: { 'haproxy.org/ssl-passthrough': 'true' }, port: 443 };

/** Computes the values, with the exposure that the chart and k0smotron make of them. */
export function hostedHetznerValues(props: K0rdentHostedHetznerProps, name: string, namespace: string): K0rdentConfigResult {
  const settings = resolveHetznerSettings(checkProps('', props, CHECKS));
  const { replicas, type, image, placementGroup } = resolveServers(props.workers);
  const access = props.access._mode;
  const { privateNetwork, tokenSecret } = settings;
  requireSshKeys(props.sshKeyNames, 'sshKeyNames');
  if (replicas < 1) {
    throw invalidInput('workers.replicas', replicas, 'is refused by the schema of the chart, which wants one worker at least',
      'Give at least 1, or use a HetznerHostedCluster');
  }
  if (placementGroup !== undefined) {
    throw invalidInput('workers.placementGroup', placementGroup, `${NO_PLACEMENT_GROUPS}, so that no server would be made`,
      'Leave it out, or use a HetznerHostedCluster, which makes the group');
  }
  if (settings.network.clusterDomain !== undefined || settings.network.dnsServiceIps !== undefined) {
    throw invalidInput('network', settings.network, 'has a domain or DNS addresses, for which the chart has no values', 'Leave them out');
  }
  return {
    values: {
      workersNumber: replicas,
      controlPlane: { replicas: props.controlPlaneReplicas ?? 1, ...controlPlaneAccess(access, settings, name, namespace) },
      region: props.region,
      sshKeyNames: settings.sshKeyNames,
      tokenRef: tokenSecret,
      hcloudNetwork: privateNetwork ? {
        enabled: true,
        cidrBlock: privateNetwork.cidr,
        subnetCidrBlock: privateNetwork.subnetCidr,
        networkZone: privateNetwork.zone,
      } : { enabled: false },
      worker: { image, type },
      k0s: { version: settings.k0sVersion.toString(), network: { provider: settings.networkProvider } },
      // The chart's defaults are those of the settings.
      ...props.network ? {
        clusterNetwork: { pods: { cidrBlocks: settings.network.podCidrs }, services: { cidrBlocks: settings.network.serviceCidrs } },
      } : {},
    },
    chartVersion: HOSTED_HETZNER_VERSION,
    exposure: access.mode === 'ingress' ? exposureOf(access, settings, name, namespace) : undefined,
    nodePorts: access.mode === 'node-port' ? [DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT] : undefined,
  };
}

function controlPlaneAccess(access: HetznerAccessMode, settings: ResolvedHetznerSettings, name: string, namespace: string): { [name: string]: any } {
  switch (access.mode) {
    case 'ingress': {
      const { api, konnectivity } = exposureOf(access, settings, name, namespace);
      return { service: { type: K0smotronServiceType.CLUSTER_IP }, ingress: { apiHost: api.host, konnectivityHost: konnectivity!.host } };
    }
    case 'load-balancer':
      if (access.location !== undefined) {
        throw invalidInput('access.location', access.location, 'has no value in the chart, which takes the region of the cluster', 'Leave it out');
      }
      return { service: { type: K0smotronServiceType.LOAD_BALANCER } };
    case 'node-port':
      return { service: { type: K0smotronServiceType.NODE_PORT }, endpoint: { host: access.host } };
  }
}

function exposureOf(access: HetznerAccessMode & { mode: 'ingress' }, settings: ResolvedHetznerSettings, name: string, namespace: string): Exposure {
  const { controller } = access;
  const { displayName, ingressClassName, ingressAnnotations } = controller;
  if (ingressClassName !== CHART_INGRESS.className || !isDeepStrictEqual(ingressAnnotations, CHART_INGRESS.annotations)) {
    throw invalidInput('access.controller', `${displayName} (class ${ingressClassName})`,
      'is not what the chart writes into every Ingress: HAProxy Technologies\' controller with the class "haproxy" and no further annotations',
      'Use IngressController.haproxy(), or a HetznerHostedCluster, which works with every controller');
  }
  const refuse = (field: string, value: unknown, reason: string) =>
    invalidInput(`access.${field}`, value, reason, 'Leave it out, or use a HetznerHostedCluster');
  if (access.port !== undefined && access.port !== CHART_INGRESS.port) {
    throw refuse('port', access.port, `is not ${CHART_INGRESS.port}, which the chart writes everywhere`);
  }
  if (access.allowedCidrs) {
    throw refuse('allowedCidrs', access.allowedCidrs, 'cannot be enforced: the chart has no value for it');
  }
  if (access.certSans) {
    throw refuse('certSans', access.certSans, 'would not be in the certificate: the chart has no value for it');
  }
  return new Exposure({
    name,
    namespace,
    hostname: access.hostname,
    domain: access.domain,
    hostnamePattern: access.hostnamePattern,
    konnectivity: { hostname: access.konnectivityHostname },
    backend: {
      serviceName: k0smotronServiceName(name, K0smotronServiceType.CLUSTER_IP),
      apiPort: DEFAULT_API_PORT,
      konnectivityPort: DEFAULT_KONNECTIVITY_PORT,
    },
    network: settings.network,
  });
}
