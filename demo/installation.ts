import { mkdtempSync } from 'fs';
import { join } from 'path';
import { ApiServer, haveRealApiServers, startRealApiServer, startStandIn } from './api-servers';
import { DOMAIN, NAMES, NAMESPACE, Platform, synthesize } from './platform';
import { freePortRange } from './ports';
import { startGateway, startProxy, startSharedIngress } from './programs';
import { told } from './screen';
import { Exposure } from '../src';
import { DnsServer } from '../test/data-path/support/dns-server';

/** Everything that runs, and where. */
export interface Installation {
  /** Of its files. */
  readonly folder: string;
  readonly platform: Platform;
  readonly exposures: Exposure[];
  readonly apiServers: ApiServer[];
  readonly dns: DnsServer;
  readonly ports: {
    readonly ingress: number;
    readonly gatewaySni: number;
    readonly gatewayClusterId: number;
    /** Of the tcp-proxy that re-originates TLS with SNI, of the first tenant. */
    readonly sniProxy: number;
    /** Of the tcp-proxy that sends the cluster ID, of the second tenant. */
    readonly clusterIdProxy: number;
  };
  /** Socket of the master of the first tenant's HAProxy. */
  readonly sniProxyMaster: string;
}

/** Starts the parts; they are stopped with `stopParts`. */
export async function install(workplace: string): Promise<Installation> {
  const folder = mkdtempSync(join(workplace, 'i-'));
  // Each agent takes the next port for its health.
  const [ingress, gatewaySni, gatewayClusterId, , sniProxy, , clusterIdProxy] = await freePortRange(8);
  const ports = { ingress, gatewaySni, gatewayClusterId, sniProxy, clusterIdProxy };
  const exposures = NAMES.map(name => new Exposure({ name, namespace: NAMESPACE, hostname: `${name}.k8s.${DOMAIN}` }));
  const apiServers = await Promise.all(exposures.map(haveRealApiServers() ? startRealApiServer : startStandIn));
  told(`two API servers (${haveRealApiServers() ? 'kube-apiserver and etcd' : 'stand-ins; set KUBEBUILDER_ASSETS for real ones'})`);

  const platform = synthesize(ports, apiServers.map(({ port }) => ({ apiServer: port })), join(folder, 'manifests'));
  told(`${platform.manifests} manifests synthesized from one definition of two tenants`);
  const dns = await DnsServer.start();
  for (const { dnsNames, exposure } of platform.controlPlanes) {
    [...dnsNames, ...exposure.routes.map(route => `${route.serviceName}.${route.serviceNamespace}.svc.cluster.local`)]
      .forEach(name => dns.records.set(name, ['127.0.0.1']));
  }
  told(`DNS with ${dns.records.size} names`);
  await startSharedIngress(platform, ports);
  told(`shared ingress (HAProxy, TLS passthrough) on port ${ingress}`);
  await startGateway(platform, ports, dns);
  told(`shared gateway on ports ${gatewaySni} (SNI) and ${gatewayClusterId} (cluster ID)`);
  const serving = await apiServers[0].ca.issue({ commonName: 'tcp-proxy', sans: exposures[0].inClusterNames, keyType: 'ecdsa' });
  const sniProxyMaster = await startProxy(platform.sniProxy, sniProxy, dns, apiServers[0].ca.certificate, serving);
  await startProxy(platform.clusterIdProxy, clusterIdProxy, dns, apiServers[1].ca.certificate);
  told(`a tcp-proxy in each tenant: ${NAMES[0]} with TLS and SNI on port ${sniProxy}, ${NAMES[1]} with the PROXY protocol on port ${clusterIdProxy}`);
  return { folder, platform, exposures, apiServers, dns, ports, sniProxyMaster };
}
