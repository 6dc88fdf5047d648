import { ControlPlane, ControlPlaneService, OperatorProxy, OwnPort } from './control-plane';
import { Field, pick, pickList, pickNumber, pickRecord, pickText, pickTexts } from './fields';
import { Host, hostOf } from './host';
import { DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT, NAMES_OF_K0S, serviceName } from './k0smotron-facts';
import { IngressClasses, operatorIngress, operatorRoute } from './operator-routes';
import { Source } from './source';
import { systemName } from './systems';

const HTTPS = 443;
/** Keys of the tcp-proxy among what k0smotron installs into the tenant. */
const PROXY_MANIFESTS = ['1_haproxy-configmap.yaml', '2_haproxy-ds.yaml', '3_kube-service.yaml'];

/**
 * Clusters and K0smotronControlPlanes. Their operator adds the hosts to the SANs, sets the endpoint reconciler to none and
 * runs HAProxy on the workers, all because `spec.ingress` is there.
 *
 * @param clusterName of the Cluster API cluster; undefined for a control plane whose cluster is not in the manifests
 */
export function readK0smotron(source: Source, clusterName: string | undefined, classes: IngressClasses): ControlPlane {
  const { object } = source;
  const ingress = pick(object, 'spec.ingress') !== undefined;
  const api = host(source, 'spec.ingress.apiHost');
  const konnectivityHost = host(source, 'spec.ingress.konnectivityHost');
  const service = clusterName === undefined ? undefined : serviceOf(source, clusterName);
  const port = pickNumber(object, 'spec.ingress.port') ?? HTTPS;
  return {
    source,
    system: systemName(source),
    exposure: ingress ? 'ingress' : 'none',
    api,
    apiByPort: ingress ? undefined : directPort(source),
    publicPort: ingress ? { value: port, path: 'spec.ingress.port' } : undefined,
    konnectivity: { enabled: ingress, host: konnectivityHost, port: { value: port, path: 'spec.ingress.port' } },
    service,
    sans: sansOf(source, [api, konnectivityHost]),
    apiServerArgs: extraArgs(source),
    operatorOwnsEndpoints: ingress,
    operatorProxy: ingress ? builtInProxy(source) : undefined,
    nodePorts: pickText(object, 'spec.service.type') === 'NodePort' ? servicePorts(object, 'spec.service') : [],
    operatorRoutes: pick(object, 'spec.ingress.deploy') === false ? [] : operatorIngress(source, {
      className: pickText(object, 'spec.ingress.className'),
      annotations: pickRecord(object, 'spec.ingress.annotations'),
      hosts: [[api, service?.apiPort], [konnectivityHost, service?.konnectivityPort]].flatMap(([name, target]) => name === undefined ? [] : [{
        host: name as Host,
        backend: service && { namespace: service.namespace, service: service.name, port: { value: target as number, path: 'spec.service' } },
      }]),
    }, classes),
  };
}

/** A ClusterDeployment of k0rdent with a template for hosted control planes: k0smotron below Helm values. */
export function readK0rdent(source: Source): ControlPlane | undefined {
  const ingress = pick(source.object, 'spec.config.controlPlane.ingress') !== undefined;
  // Charts of clusters that have machines for their control planes have no Service there.
  const service = pick(source.object, 'spec.config.controlPlane.service') !== undefined;
  if (!ingress && !service && !/hosted/.test(pickText(source.object, 'spec.template') ?? '')) return undefined;
  const api = host(source, 'spec.config.controlPlane.ingress.apiHost');
  const konnectivityHost = host(source, 'spec.config.controlPlane.ingress.konnectivityHost');
  // The template may bring the annotation; its defaults are not here.
  const unknown = { state: 'unknown' } as const;
  const entry = 'the Ingress of the template';
  return {
    source,
    system: systemName(source),
    exposure: ingress ? 'ingress' : 'none',
    api,
    publicPort: ingress ? { value: pickNumber(source.object, 'spec.config.controlPlane.ingress.port') ?? HTTPS, path: 'spec.config.controlPlane.ingress.port' } : undefined,
    konnectivity: {
      enabled: ingress,
      host: konnectivityHost,
      port: { value: pickNumber(source.object, 'spec.config.controlPlane.ingress.port') ?? HTTPS, path: 'spec.config.controlPlane.ingress.port' },
    },
    operatorOwnsEndpoints: ingress,
    operatorProxy: ingress ? { name: 'k0smotron-haproxy', path: 'spec.config.controlPlane.ingress', remedy: 'Leave the tcp-proxy out: the template has no value that takes k0smotron\'s out' } : undefined,
    // The chart has no values for them.
    nodePorts: pickText(source.object, 'spec.config.controlPlane.service.type') === 'NodePort'
      ? [DEFAULT_API_PORT, DEFAULT_KONNECTIVITY_PORT].map(value => ({ value, path: 'spec.config.controlPlane.service.type' }))
      : [],
    operatorRoutes: pick(source.object, 'spec.config.controlPlane.ingress.deploy') === false
      ? []
      : [api, konnectivityHost].flatMap(name => (name === undefined ? [] : [operatorRoute(source, name, entry, undefined, unknown)])),
  };
}

/** Its own DaemonSet and Service `kubernetes` in the tenant, unless a patch removes them. */
function builtInProxy(source: Source): OperatorProxy | undefined {
  const removed = new Set(pickList(source.object, 'spec.patches').flatMap(patch => removedKeys(pickText(patch, 'patch.content'))));
  return PROXY_MANIFESTS.every(key => removed.has(key)) ? undefined : {
    name: 'k0smotron-haproxy',
    path: 'spec.patches',
    remedy: `Add a merge patch of the ConfigMap of component ingress that sets ${PROXY_MANIFESTS.join(', ')} to null, or leave the tcp-proxy out`,
  };
}

/** Keys of `data` that a merge patch, or a JSON patch, takes away. */
function removedKeys(content: string | undefined): string[] {
  let patch: unknown;
  try {
    patch = JSON.parse(content ?? '');
  } catch {
    return [];
  }
  if (Array.isArray(patch)) {
    return patch.flatMap(step => pick(step, 'op') === 'remove' ? [(pickText(step, 'path') ?? '').replace(/^\/data\//, '').replace(/~1/g, '/')] : []);
  }
  return Object.entries(pickRecord(patch, 'data')).flatMap(([key, value]) => (value === null ? [key] : []));
}

function servicePorts(object: unknown, path: string): Field<number>[] {
  return [
    { value: pickNumber(object, `${path}.apiPort`) ?? DEFAULT_API_PORT, path: `${path}.apiPort` },
    { value: pickNumber(object, `${path}.konnectivityPort`) ?? DEFAULT_KONNECTIVITY_PORT, path: `${path}.konnectivityPort` },
  ];
}

function host(source: Source, path: string): Host | undefined {
  const written = pickText(source.object, path);
  return written === undefined ? undefined : hostOf(written, path);
}

function serviceOf(source: Source, clusterName: string): ControlPlaneService {
  return {
    namespace: source.namespace,
    name: serviceName(clusterName, pickText(source.object, 'spec.service.type') ?? ''),
    apiPort: pickNumber(source.object, 'spec.service.apiPort') ?? DEFAULT_API_PORT,
    konnectivityPort: pickNumber(source.object, 'spec.service.konnectivityPort') ?? DEFAULT_KONNECTIVITY_PORT,
    furtherPorts: patchedPorts(source),
  };
}

/** Ports that patches add to the Service. */
function patchedPorts({ object }: Source): number[] {
  const patches = pickList(object, 'spec.patches').filter(patch => pickText(patch, 'target.kind') === 'Service');
  return patches.flatMap(patch => [...(pickText(patch, 'patch.content') ?? '').matchAll(/\bport"?\s*:\s*(\d+)/g)].map(([, port]) => Number(port)));
}

/** k0smotron adds the hosts (its `genSANs`), and k0s the in-cluster names. */
function sansOf({ object }: Source, hosts: (Host | undefined)[]): Field<string[]> {
  const path = 'spec.k0sConfig.spec.api.sans';
  return { value: [...new Set([...hosts.flatMap(each => each?.host ? [each.host] : []), ...NAMES_OF_K0S, ...pickTexts(object, path)])], path };
}

function extraArgs({ object }: Source): Field<string[]> {
  const path = 'spec.k0sConfig.spec.api.extraArgs';
  return { value: Object.entries(pickRecord(object, path)).map(([flag, value]) => `--${flag}=${String(value)}`), path };
}

/** Without an ingress, clients reach it at the port of its Service, by a load balancer or on every node. */
function directPort(source: Source): OwnPort | undefined {
  const external = host(source, 'spec.externalAddress');
  return external && { host: external, port: pickNumber(source.object, 'spec.service.apiPort') ?? DEFAULT_API_PORT };
}
