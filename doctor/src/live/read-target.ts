import { readCa } from './certificate-authority';
import { KubeconfigServer, readKubeconfig } from './kubeconfig';
import { ProxyProtocolTarget, Target } from './target';
import { chosenAmong, Origin, tenantName } from './tenants';
import { ConfigurationError } from '../../../cli/configuration';
import { readAllDocuments } from '../../../cli/documents';
import { readManagementCluster } from '../../../cli/management-cluster';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { PodPath } from '../../../src/manifests/pod-path';
import { ManifestTarget, ManifestTargets, targetsAmong } from '../manifests/target';
import { LiveOptions } from '../options';

const DEFAULT_PORT = 443;
/** That of the shared gateway of this project. */
const DEFAULT_TLV_TYPE = 0xe1;
/** Flags whose value is one tenant's. */
const OF_ONE_TENANT = { tenantKubeconfig: '--tenant-kubeconfig', konnectivityHost: '--konnectivity-host', clusterId: '--cluster-id' } as const;

/** A path to check, and whose it is, where objects told. */
export interface Examinee {
  readonly controlPlane?: ControlPlane;
  /** How its pods reach it, where objects told. */
  readonly podPath?: PodPath;
  readonly target: Target;
}

export interface Examinees {
  readonly chosen: Examinee[];
  /** Control planes that nothing can be said about, as no host leads to them; only where all were wanted. */
  readonly left: ControlPlane[];
}

/**
 * Puts together what flags, the tenant's kubeconfig and objects say; a flag wins over the kubeconfig, and that over objects.
 *
 * @throws ConfigurationError
 */
export async function readExaminees(options: LiveOptions): Promise<Examinees> {
  const server = options.tenantKubeconfig === undefined ? undefined : readKubeconfig(options.tenantKubeconfig);
  const objects = await readObjects(options);
  if (objects === undefined) return { chosen: [{ target: targetOf(options, server) }], left: [] };
  const inside = server && ofService(server, objects.targets);
  if (inside) {
    const { controlPlane, podPath } = inside;
    return { chosen: [{ controlPlane, podPath, target: insideTarget(options, server, inside) }], left: [] };
  }
  const wish = {
    all: options.all,
    tenant: options.tenant,
    host: options.host ?? server?.serverName ?? server?.host,
    port: options.port ?? server?.port,
  };
  const chosen = chosenAmong(objects.targets, wish, objects.origin);
  if (chosen.length > 1) refuseFlagsOfOne(options);
  return {
    chosen: chosen.map(found => ({ controlPlane: found.controlPlane, podPath: found.podPath, target: targetOf(options, server, found) })),
    left: options.all ? objects.targets.withoutHost : [],
  };
}

async function readObjects({ manifests, kubeconfig, context }: LiveOptions): Promise<{ targets: ManifestTargets; origin: Origin } | undefined> {
  if (manifests !== undefined) {
    return {
      targets: targetsAmong(readAllDocuments(manifests).sources),
      origin: { flag: `--manifests ${manifests.map(path => JSON.stringify(path)).join(', ')}`, remedy: 'name the folder or file with its custom resource' },
    };
  }
  return kubeconfig === undefined ? undefined : {
    targets: targetsAmong(await readManagementCluster(kubeconfig, context)),
    origin: {
      flag: `--kubeconfig ${JSON.stringify(kubeconfig)}`,
      remedy: "give that of the management cluster; that of a tenant's own API server goes to --tenant-kubeconfig",
    },
  };
}

/** The control plane whose Service a kubeconfig names: one of the operator's, for inside of the management cluster. */
function ofService({ host }: KubeconfigServer, { reachable }: ManifestTargets): ManifestTarget | undefined {
  return reachable.find(({ controlPlane: { service } }) => service && (host === `${service.name}.${service.namespace}.svc` || host.startsWith(`${service.name}.${service.namespace}.svc.`)));
}

/** Its path is that of clients, with the CA of the kubeconfig. */
function insideTarget(options: LiveOptions, { host, port, ca }: KubeconfigServer, found: ManifestTarget): Target {
  const target = targetOf(options, undefined, found);
  const { apiPort, apiPortAssumed } = found.controlPlane.service!;
  return { ...target, ca: target.ca ?? ca, adminKubeconfig: apiPortAssumed ? undefined : { server: { host, port }, servicePort: apiPort } };
}

function refuseFlagsOfOne(options: LiveOptions): void {
  const [given] = Object.entries(OF_ONE_TENANT).filter(([key]) => options[key as keyof typeof OF_ONE_TENANT] !== undefined);
  if (given) throw new ConfigurationError(`${given[1]} is about one tenant, and several are checked: leave it out, or give --tenant in the place of --all`);
  if (options.caFile !== undefined && !/\{namespace\}|\{name\}/.test(options.caFile)) {
    throw new ConfigurationError(`--ca-file ${JSON.stringify(options.caFile)}: several tenants are checked, and each has a CA of its own; `
      + 'write it like ca/{namespace}/{name}.crt');
  }
}

function targetOf(options: LiveOptions, server?: KubeconfigServer, found?: ManifestTarget): Target {
  const host = options.host ?? server?.host ?? found?.host;
  if (host === undefined) {
    throw new ConfigurationError('host is missing: name the host of the API, or give --manifests, --kubeconfig or --tenant-kubeconfig');
  }
  const port = options.port ?? server?.port ?? found?.port ?? DEFAULT_PORT;
  const konnectivityHost = options.konnectivityHost ?? found?.konnectivity?.host;
  return {
    host,
    port,
    byPort: found?.byPort === true && port === found.port,
    serverName: (options.host ?? server?.serverName ?? host).toLowerCase(),
    ca: options.caFile === undefined ? server?.ca : readCa('--ca-file', caFileOf(options.caFile, found?.controlPlane)),
    sans: found?.sans ?? [],
    konnectivity: konnectivityHost === undefined ? undefined : {
      host: konnectivityHost.toLowerCase(),
      port: options.konnectivityPort ?? found?.konnectivity?.port ?? port,
    },
    proxyProtocol: proxyProtocolTarget(options, found?.proxyProtocol),
    connectTo: options.connectTo,
    resolver: options.resolver,
    timeoutMs: options.timeout,
  };
}

function caFileOf(pattern: string, controlPlane: ControlPlane | undefined): string {
  if (controlPlane === undefined) return pattern;
  const { namespace, name } = controlPlane.source;
  if (/[/\\]/.test(namespace + name)) throw new ConfigurationError(`--ca-file: ${tenantName(controlPlane)} has a name that no file can have`);
  return pattern.replace(/\{(namespace|name)\}/g, (_, key) => key === 'name' ? name : namespace);
}

function proxyProtocolTarget(options: LiveOptions, found: ProxyProtocolTarget | undefined): ProxyProtocolTarget | undefined {
  const address = options.gatewayAddress ?? found;
  const clusterId = options.clusterId ?? found?.clusterId;
  if (address === undefined && clusterId === undefined) return undefined;
  if (address === undefined) throw new ConfigurationError('--gateway-address is missing: --cluster-id says which tenant, not where the gateway is');
  if (clusterId === undefined) {
    // Not every tenant of a fleet has one.
    if (options.all) return undefined;
    throw new ConfigurationError("--cluster-id is missing: give the tenant's, as its proxies send it");
  }
  return { host: address.host, port: address.port, clusterId, tlvType: options.tlvType ?? found?.tlvType ?? DEFAULT_TLV_TYPE };
}
