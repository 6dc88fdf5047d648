import { readCa } from './certificate-authority';
import { readKubeconfig } from './kubeconfig';
import { ProxyProtocolTarget, Target } from './target';
import { ConfigurationError } from '../../../cli/configuration';
import { readManifestTarget } from '../manifests/target';
import { LiveOptions } from '../options';

const DEFAULT_PORT = 443;
/** That of the shared gateway of this project. */
const DEFAULT_TLV_TYPE = 0xe1;

/** Puts together what flags, kubeconfig and manifests say; a flag wins over the kubeconfig, and that over manifests. */
export function readTarget(options: LiveOptions): Target {
  const kubeconfig = options.kubeconfig === undefined ? undefined : readKubeconfig(options.kubeconfig);
  const wanted = options.host ?? kubeconfig?.serverName ?? kubeconfig?.host;
  const manifests = options.manifests === undefined ? undefined : readManifestTarget(options.manifests, wanted, options.port ?? kubeconfig?.port);
  const host = options.host ?? kubeconfig?.host ?? manifests?.host;
  if (host === undefined) {
    throw new ConfigurationError('host is missing: name the host of the API, or give --kubeconfig or --manifests');
  }
  const port = options.port ?? kubeconfig?.port ?? manifests?.port ?? DEFAULT_PORT;
  const konnectivityHost = options.konnectivityHost ?? manifests?.konnectivity?.host;
  return {
    host,
    port,
    byPort: manifests?.byPort === true && port === manifests.port,
    serverName: (options.host ?? kubeconfig?.serverName ?? host).toLowerCase(),
    ca: options.caFile === undefined ? kubeconfig?.ca : readCa('--ca-file', options.caFile),
    sans: manifests?.sans ?? [],
    konnectivity: konnectivityHost === undefined ? undefined : {
      host: konnectivityHost.toLowerCase(),
      port: options.konnectivityPort ?? manifests?.konnectivity?.port ?? port,
    },
    proxyProtocol: proxyProtocolTarget(options, manifests?.proxyProtocol),
    connectTo: options.connectTo,
    resolver: options.resolver,
    timeoutMs: options.timeout,
  };
}

function proxyProtocolTarget(options: LiveOptions, manifests: ProxyProtocolTarget | undefined): ProxyProtocolTarget | undefined {
  const address = options.gatewayAddress ?? manifests;
  const clusterId = options.clusterId ?? manifests?.clusterId;
  if (address === undefined && clusterId === undefined) return undefined;
  if (address === undefined) throw new ConfigurationError('--gateway-address is missing: --cluster-id says which tenant, not where the gateway is');
  if (clusterId === undefined) throw new ConfigurationError("--cluster-id is missing: give the tenant's, as its proxies send it");
  return { host: address.host, port: address.port, clusterId, tlvType: options.tlvType ?? manifests?.tlvType ?? DEFAULT_TLV_TYPE };
}
