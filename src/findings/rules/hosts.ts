import { isIP } from 'net';
import { Fault, nameOf, Rule } from './rule';
import { ControlPlane } from '../../manifests/control-plane';
import { pick, pickNumber, pickText } from '../../manifests/fields';
import { clusterOf, findSource } from '../../manifests/find-source';
import { listenersOfParent, namedListeners, ParentRef } from '../../manifests/gateway';
import { Host, hostOf } from '../../manifests/host';
import { apiPlace, areApart, konnectivityPlace, Place } from '../../manifests/places';
import { isRelevant, Platform } from '../../manifests/platform';
import { Source } from '../../manifests/source';

const HTTPS = 443;

export const portInHost: Rule = {
  code: 'HCP101',
  severity: 'error',
  title: 'a port stands where only a host may be',
  check: platform => [
    ...portsInRoutes(platform),
    ...platform.controlPlanes.flatMap(controlPlane =>
      [...portsInSans(controlPlane), ...portInApiHost(controlPlane), ...portInKonnectivityHost(controlPlane)]),
  ],
};

function portsInRoutes(platform: Platform): Fault[] {
  return platform.routes
    .filter(route => !route.byOperator && route.host?.port !== undefined && isRelevant(route, platform))
    .map(({ source, host, path }) => ({
      source,
      field: path,
      message: `"${host!.value}" has a port, and an SNI never has one, so nothing matches`,
      remedy: `Write ${host!.host}`,
    }));
}

function portsInSans({ source, system, sans }: ControlPlane): Fault[] {
  return (sans?.value ?? []).filter(san => hostOf(san, '').port !== undefined).map(san => ({
    source,
    field: sans!.path,
    message: `"${san}" has a port, and a SAN never has one${system === 'Kamaji' ? '; Kamaji renews the certificate for ever because of it (clastix/kamaji#679)' : ''}`,
    remedy: `Write ${hostOf(san, '').host}`,
  }));
}

function portInApiHost({ source, system, described, api }: ControlPlane): Fault[] {
  return system === 'Kamaji' || described || api?.port === undefined ? [] : [{
    source,
    field: api.path,
    message: `"${api.value}" has a port, which ${system} adds by itself (Steward's tcp-proxy would dial ${api.value}:${HTTPS})`,
    remedy: `Write ${api.host}`,
  }];
}

function portInKonnectivityHost({ source, konnectivity: { host, derived } }: ControlPlane): Fault[] {
  return derived || host?.port === undefined ? [] : [{
    source,
    field: host.path,
    message: `"${host.value}" has a port where agents want a host`,
    remedy: `Write ${host.host}, and the port in a setting of its own (--proxy-server-port, ingress.port)`,
  }];
}

export const kamajiWithoutPort: Rule = {
  code: 'HCP102',
  severity: 'error',
  title: "Kamaji's ingress hostname has no port",
  check: platform => platform.controlPlanes
    .filter(({ system, exposure, api }) => system === 'Kamaji' && exposure === 'ingress' && api !== undefined && api.port === undefined)
    .filter(({ service }) => service!.apiPort !== HTTPS)
    .map(({ source, api, service }) => ({
      source,
      field: api!.path,
      message: `"${api!.value}" has no port, so kubeconfigs and kubeadm's endpoint say ${api!.host}:${service!.apiPort}, where the ingress does not listen`,
      remedy: `Write ${api!.host}:${HTTPS}`,
    })),
};

export const sameHosts: Rule = {
  code: 'HCP103',
  severity: 'error',
  title: 'the API and konnectivity have the same host on one port',
  check: platform => platform.controlPlanes.flatMap(controlPlane => {
    const { source, system, exposure, api, konnectivity } = controlPlane;
    const { host, port, derived } = konnectivity;
    const apart = (exposure === 'gateway' && port?.value !== HTTPS) || areApart(apiPlace(controlPlane, platform), konnectivityPlace(controlPlane, platform));
    if (!konnectivity.enabled || host === undefined || api === undefined || host.host !== api.host || apart) return [];
    return [{
      source,
      field: host.path,
      message: derived && system === 'Steward'
        ? `Steward derives the konnectivity host by replacing ".k8s.", which "${api.host}" does not contain, so both are ${api.host}`
        : `konnectivity has the API's host ${api.host}, and one SNI cannot lead to two servers`,
      remedy: 'Give konnectivity a host of its own: --proxy-server-host in its agent\'s extraArgs, a route and a SAN',
    }];
  }),
};

export const sharedHost: Rule = {
  code: 'HCP104',
  severity: 'error',
  title: 'two control planes have the same host',
  check: platform => {
    const owners = new Map<string, HostOwner[]>();
    return platform.controlPlanes.flatMap(controlPlane => {
      const hosts = placedHosts(controlPlane, platform);
      const faults = hosts.flatMap(({ host, place }): Fault[] => {
        const owner = owners.get(host.host)?.find(other => !areApart(other.place, place));
        return owner === undefined ? [] : [{
          source: controlPlane.source,
          field: host.path,
          message: `${host.host} is the host of ${nameOf(owner.source)} too, so one of them gets the other's clients`,
          remedy: 'Give each control plane hosts of its own',
        }];
      });
      hosts.forEach(({ host, place }) => owners.set(host.host, [...owners.get(host.host) ?? [], { source: controlPlane.source, place }]));
      // One host of both servers is one mistake.
      return faults.filter(({ message }, i) => faults.findIndex(other => other.message === message) === i);
    });
  },
};

interface HostOwner {
  readonly source: Source;
  readonly place: Place;
}

function placedHosts(controlPlane: ControlPlane, platform: Platform): { readonly host: Host; readonly place: Place }[] {
  const { api, konnectivity } = controlPlane;
  return [
    ...(konnectivity.host ? [{ host: konnectivity.host, place: konnectivityPlace(controlPlane, platform) }] : []),
    ...(api ? [{ host: api, place: apiPlace(controlPlane, platform) }] : []),
  ];
}

export const nameAsAddress: Rule = {
  code: 'HCP105',
  severity: 'error',
  title: 'a name stands where an IP address must be',
  check: platform => platform.controlPlanes.filter(({ described }) => !described).flatMap(({ source }) => ['spec.networkProfile.address', 'spec.networkProfile.advertiseAddress', 'spec.network.advertiseAddress', 'spec.network.serviceAddress'].flatMap(field => {
    const value = pickText(source.object, field);
    return value === undefined || value === '' || isIP(value) ? [] : [{
      source,
      field,
      message: `"${value}" becomes --advertise-address as it is, which takes an IP address alone`,
      remedy: 'Leave it out; the public name belongs into ingress.hostname or gateway.hostname',
    }];
  })),
};

export const clusterEndpoint: Rule = {
  code: 'HCP106',
  severity: 'error',
  title: 'the endpoint of the Cluster API cluster is not the API host',
  check: platform => platform.controlPlanes.flatMap(({ source, api, publicPort }) => {
    const cluster = clusterOf(source, platform.sources);
    if (cluster === undefined || api === undefined) return [];
    const [kind, name] = ['kind', 'name'].map(field => pick(cluster.object, `spec.infrastructureRef.${field}`));
    const infrastructure = findSource(kind, cluster.namespace, name, platform.sources);
    const port = publicPort?.value ?? HTTPS;
    return [cluster, infrastructure].flatMap(object => {
      const field = 'spec.controlPlaneEndpoint';
      const host = pickText(object?.object, `${field}.host`);
      const endpointPort = pickNumber(object?.object, `${field}.port`);
      if (object === undefined || host === undefined || (host === api.host && (endpointPort ?? port) === port)) return [];
      return [{
        source: object,
        field,
        message: `${host}:${endpointPort} is where workers join, but ${nameOf(source)} answers at ${api.host}:${port}`,
        remedy: `Write host ${api.host} and port ${port}`,
      }];
    });
  }),
};

/** Kamaji itself takes the port of the listener; its provider of Cluster API writes that of the hostname into the Cluster (`controlPlaneEndpoint`). */
export const clusterPortOfGateway: Rule = {
  code: 'HCP116',
  severity: 'error',
  title: 'a Cluster API cluster gets another port than its Gateway has',
  check: platform => platform.controlPlanes.flatMap(({ source, exposure, api, publicPort }) => {
    if (source.kind !== 'KamajiControlPlane' || exposure !== 'gateway' || api === undefined || publicPort === undefined) return [];
    const field = 'spec.network.gateway';
    const parent: ParentRef = {
      kind: 'Gateway',
      name: `${pickText(source.object, `${field}.namespace`) ?? source.namespace}/${pickText(source.object, `${field}.name`)}`,
      sectionName: pickText(source.object, `${field}.sectionName`),
      port: pickNumber(source.object, `${field}.port`),
      path: field,
    };
    const ports = namedListeners(parent, listenersOfParent(parent, platform.listeners)).map(({ port }) => port);
    if (ports.length === 0 || ports.includes(publicPort.value)) return [];
    return [{
      source,
      field: api.path,
      message: `workers are told ${api.host}:${publicPort.value}${api.port === undefined ? ', as the host has no port' : ''}, but Gateway ${parent.name} listens on ${ports.join(' and ')}`,
      remedy: `Write ${api.host}:${ports[0]}`,
    }];
  }),
};

export const konnectivityPortRange: Rule = {
  code: 'HCP107',
  severity: 'error',
  title: "k0smotron's ports cannot work",
  check: platform => platform.controlPlanes.filter(({ system }) => system === 'k0smotron').flatMap(({ source, service }) => {
    if (service === undefined) return [];
    const { apiPort, konnectivityPort } = service;
    if (apiPort === konnectivityPort) {
      return [{
        source,
        field: 'spec.service',
        message: `apiPort and konnectivityPort are both ${apiPort}, so one Service port leads to two servers`,
        remedy: 'Give them different ports, e.g. 30443 and 30132',
      }];
    }
    return konnectivityPort >= 1024 && konnectivityPort <= 49151 ? [] : [{
      source,
      field: 'spec.service.konnectivityPort',
      message: `the konnectivity server refuses port ${konnectivityPort} as reserved or ephemeral (k0sproject/k0smotron#1304)`,
      remedy: 'Choose one from 1024 to 49151, e.g. 30132; the public port is spec.ingress.port',
    }];
  }),
};
