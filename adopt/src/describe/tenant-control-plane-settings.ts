import { memberOf, Settings } from './settings';
import { DEFAULT_KONNECTIVITY_PORT } from '../../../src/manifests/tenant-control-plane-facts';
import { Expression, Fields, fieldsOf, Json } from '../code/expression';

/*
 * What TenantControlPlanes and KamajiControlPlanes say with the same fields, some of them in other places.
 */
const ADDRESS_TYPES = { Hostname: 'HOSTNAME', InternalIP: 'INTERNAL_IP', ExternalIP: 'EXTERNAL_IP', InternalDNS: 'INTERNAL_DNS', ExternalDNS: 'EXTERNAL_DNS' };
const IMAGE = { imageRepository: 'imageRepository', imageTag: 'imageTag' };
const COMPONENTS = ['apiServer', 'controllerManager', 'scheduler', 'kine'];
/** What the library gives agents, and the API server of a tenant with proxies. */
const OWN_ARGUMENTS = /^--(proxy-server-host|proxy-server-port)=/;
const NO_RECONCILER = '--endpoint-reconciler-type=none';

function argsAt(settings: Settings, path: string, isOurs: (arg: string) => boolean): string[] | undefined {
  const rest = settings.texts(path)?.filter(arg => !isOurs(arg));
  return rest?.length ? rest : undefined;
}

/** Further arguments of the components, without those that the library gives. */
export function componentArgs(settings: Settings, pathOf: (component: string) => string, tcpProxy: boolean): Fields | undefined {
  return fieldsOf(Object.fromEntries(COMPONENTS.map(name => [name, argsAt(settings, pathOf(name), arg => tcpProxy && arg === NO_RECONCILER)])));
}

export function componentResources(settings: Settings, pathOf: (component: string) => string): Fields | undefined {
  return fieldsOf(Object.fromEntries(COMPONENTS.map(name => [name, settings.resources(pathOf(name))])));
}

/** The addons of the operator, with konnectivity. */
export function addons(settings: Settings): { [name: string]: Expression | undefined } {
  return {
    coreDns: settings.addon('spec.addons.coreDNS', IMAGE),
    kubeProxy: settings.addon('spec.addons.kubeProxy', IMAGE),
    konnectivityAgent: fieldsOf({
      ...settings.fields('spec.addons.konnectivity.agent', { image: 'image', version: 'version', replicas: 'replicas', tolerations: 'tolerations', hostNetwork: 'hostNetwork' }),
      mode: settings.member('spec.addons.konnectivity.agent.mode', 'KonnectivityAgentMode', { Deployment: 'DEPLOYMENT' }),
      extraArgs: argsAt(settings, 'spec.addons.konnectivity.agent.extraArgs', arg => OWN_ARGUMENTS.test(arg)),
    }),
    konnectivityServer: fieldsOf({
      ...settings.fields('spec.addons.konnectivity.server', { image: 'image', version: 'version', extraArgs: 'extraArgs' }),
      port: konnectivityPort(settings),
      resources: settings.resources('spec.addons.konnectivity.server.resources'),
    }),
  };
}

function konnectivityPort(settings: Settings): Expression | undefined {
  const port = settings.value('spec.addons.konnectivity.server.port');
  return port === DEFAULT_KONNECTIVITY_PORT ? undefined : port;
}

/** Further ports of the Service. */
export function servicePorts(settings: Settings, path: string): Fields[] | undefined {
  const names = { name: 'name', port: 'port', targetPort: 'targetPort', protocol: 'protocol', appProtocol: 'appProtocol' };
  return settings.list(path, names)?.map(({ protocol, targetPort, ...port }) => fieldsOf({
    ...port,
    targetPort: targetPort === port.port ? undefined : targetPort,
    protocol: memberOf(protocol as Json, 'Protocol', { UDP: 'UDP', SCTP: 'SCTP' }),
  }) ?? {});
}

export function addressTypes(settings: Settings, path: string): Expression[] | undefined {
  const members = settings.texts(path)?.map(type => memberOf(type, 'KubeletAddressType', ADDRESS_TYPES));
  return members?.every(member => member !== undefined) ? members : undefined;
}

/** Names of a certificate that the library does not add itself. */
export function furtherNames(hosts: Fields, clusterDomain: string, names: readonly string[]): string[] | undefined {
  const added = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', `kubernetes.default.svc.${clusterDomain}`, hosts.hostname, (hosts.konnectivity as Fields | undefined)?.hostname];
  const further = [...new Set(names.filter(name => !added.includes(name)))];
  return further.length === 0 ? undefined : further;
}
