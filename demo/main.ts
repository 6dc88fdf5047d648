import { ADMINISTRATOR, haveRealApiServers, SERVICE_ACCOUNT, startRealApiServer, startStandIn } from './api-servers';
import { DOMAIN, NAMES, NAMESPACE, Ports, synthesize } from './platform';
import { startGateway, startProxy, startSharedIngress } from './programs';
import { Answer, NOBODY, Request, whoAmI } from './requests';
import { heading, paint, table } from './screen';
import { Exposure } from '../src';
import { DnsServer } from '../test/data-path/support/dns-server';
import { stopParts } from '../test/data-path/support/parts';
import { freePorts } from '../test/data-path/support/ports';
import { haproxyBinary } from '../test/support/haproxy';

/*
 * The whole path on loopback: a shared ingress that passes TLS through, two tenants' API servers behind it, a tcp-proxy of
 * each kind, and the shared gateway, all from synthesized configurations. Shows requests on every path, and goes on until
 * Ctrl-C; with --once it ends, with an error if a path did not do what it should.
 */
interface Path {
  readonly client: string;
  readonly way: string;
  readonly request: Request;
  /** Whom the API server should take the client for; undefined where the connection should not get there. */
  readonly expected?: string;
}

async function main(once: boolean): Promise<void> {
  if (!haproxyBinary()) {
    throw new Error('There is no HAProxy 3: scripts/haproxy.sh says how to get one.');
  }
  heading('Starting');
  const [ingress, gatewaySni, gatewayClusterId, , sniProxy, , clusterIdProxy] = await freePortRange(8);
  const ports: Ports = { ingress, gatewaySni, gatewayClusterId };
  const exposures = NAMES.map(name => new Exposure({ name, namespace: NAMESPACE, hostname: `${name}.k8s.${DOMAIN}` }));
  const apiServers = await Promise.all(exposures.map(haveRealApiServers() ? startRealApiServer : startStandIn));
  told(`two API servers (${haveRealApiServers() ? 'kube-apiserver and etcd' : 'stand-ins; set KUBEBUILDER_ASSETS for real ones'})`);

  const platform = synthesize(ports, apiServers.map(({ port }) => ({ apiServer: port })));
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
  await startProxy(platform.sniProxy, sniProxy, dns, apiServers[0].ca.certificate, serving);
  await startProxy(platform.clusterIdProxy, clusterIdProxy, dns, apiServers[1].ca.certificate);
  told(`a tcp-proxy in each tenant: ${NAMES[0]} with TLS and SNI on port ${sniProxy}, ${NAMES[1]} with the PROXY protocol on port ${clusterIdProxy}`);

  const [one, two] = apiServers.map((apiServer, i) => ({
    apiServer, host: exposures[i].api.host, administrator: { certificate: apiServer.administrator }, pod: { token: apiServer.token },
  }));
  const outside = (tenant: typeof one) => ({ port: ingress, serverName: tenant.host, verifiedName: tenant.host, apiServer: tenant.apiServer });
  const inside = (tenant: typeof one, port: number) => ({ port, verifiedName: 'kubernetes.default.svc', apiServer: tenant.apiServer });
  const paths: Path[] = [
    { client: `kubectl of ${NAMES[0]}`, way: 'SNI -> ingress', request: { ...outside(one), ...one.administrator }, expected: ADMINISTRATOR },
    { client: `kubectl of ${NAMES[1]}`, way: 'SNI -> ingress', request: { ...outside(two), ...two.administrator }, expected: ADMINISTRATOR },
    { client: `kubectl of ${NAMES[1]}`, way: 'SNI -> gateway', request: { ...outside(two), port: gatewaySni, ...two.administrator }, expected: ADMINISTRATOR },
    { client: 'pod, by IP address', way: 'no SNI -> ingress', request: { ...outside(one), serverName: undefined, ...one.pod } },
    { client: `pod of ${NAMES[0]}`, way: 'no SNI -> tcp-proxy -> SNI -> ingress', request: { ...inside(one, sniProxy), ...one.pod }, expected: SERVICE_ACCOUNT },
    {
      client: `client certificate in ${NAMES[0]}`,
      way: 'no SNI -> tcp-proxy -> SNI -> ingress',
      request: { ...inside(one, sniProxy), ...one.administrator },
      expected: NOBODY,
    },
    { client: `pod of ${NAMES[1]}`, way: 'no SNI -> tcp-proxy -> cluster ID -> gateway', request: { ...inside(two, clusterIdProxy), ...two.pod }, expected: SERVICE_ACCOUNT },
    {
      client: `client certificate in ${NAMES[1]}`,
      way: 'no SNI -> tcp-proxy -> cluster ID -> gateway',
      request: { ...inside(two, clusterIdProxy), ...two.administrator },
      expected: ADMINISTRATOR,
    },
    { client: 'somebody', way: 'unknown SNI -> ingress', request: { ...outside(one), serverName: 'tenant-99.k8s.example.com', ...one.pod } },
    { client: 'somebody', way: 'no PROXY header -> gateway', request: { ...inside(two, gatewayClusterId), ...two.pod } },
  ];
  heading('Requests');
  const rows: string[][] = [['', 'client', 'way', 'the API server sees', 'protocol', 'ms'].map(head => paint('grey', head))];
  let wrong = 0;
  for (const { client, way, request, expected } of paths) {
    const answer = await whoAmI(request);
    const right = answer.user === expected;
    wrong += right ? 0 : 1;
    rows.push([right ? paint('green', '✓') : paint('red', '✗'), client, way, seen(answer, expected), answer.protocol ?? '', String(answer.milliseconds)]);
  }
  table(rows);
  console.log(`\n${wrong === 0 ? paint('green', `All ${paths.length} paths did what they should.`) : paint('red', `${wrong} of ${paths.length} paths did not do what they should.`)}`);
  process.exitCode = wrong === 0 ? 0 : 1;
  if (!once) {
    heading('Try it');
    console.log(`  curl -k --resolve ${one.host}:${ingress}:127.0.0.1 https://${one.host}:${ingress}/version`);
    console.log(`  curl -k https://127.0.0.1:${sniProxy}/version        # as a pod: by address, through the tcp-proxy`);
    console.log(paint('grey', '\n  Ctrl-C ends everything.'));
    await new Promise<void>(resolve => ['SIGINT', 'SIGTERM'].forEach(signal => process.once(signal, () => resolve())));
  }
}

function told(text: string): void {
  console.log(`  ${paint('green', '✓')} ${text}`);
}

function seen({ user, failure }: Answer, expected: string | undefined): string {
  if (user !== undefined) {
    return user === NOBODY ? paint('yellow', 'nobody: the certificate ends at the proxy') : paint('blue', user);
  }
  return expected === undefined ? paint('grey', 'nothing: closed at the edge') : paint('red', failure ?? '');
}

/** Ports in a row, as each agent takes the next one for its health. */
async function freePortRange(count: number): Promise<number[]> {
  for (;;) {
    const [first] = await freePorts(1);
    const range = Array.from({ length: count }, (_, i) => first + i);
    if (range[count - 1] < 65536) {
      return range;
    }
  }
}

void main(process.argv.includes('--once'))
  .catch(error => {
    console.error(paint('red', (error as Error).message));
    process.exitCode = 1;
  })
  .finally(async () => {
    await stopParts();
    process.exit();
  });
