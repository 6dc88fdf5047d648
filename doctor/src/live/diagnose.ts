import { isIP } from 'net';
import { ConnectionFailure, isFailure, openTls, TlsConnection } from './connection';
import { Dialer } from './dialer';
import { failed, HopResult, Outcome, Path, skipped } from './hop';
import { judgeAdminKubeconfig } from './hops/admin-kubeconfig';
import { judgeGrpc, judgeReadyz, judgeUnanswered, judgeVersion } from './hops/api';
import { checkAlpn, checkChain, checkSans } from './hops/certificate';
import { checkDns, checkTcp } from './hops/reach';
import { judgeProxyProtocol, judgeRefusal } from './hops/refusal';
import { judgeRouting, remedyFor } from './hops/routing';
import { proxyHeader } from './proxy-header';
import { Answer, get, getHttp2, RequestFailure } from './requests';
import { resolve } from './resolve';
import { hostPort, isHost, ProxyProtocolTarget, Target } from './target';

/** What pods ask for when they send SNI at all. */
const IN_CLUSTER_NAME = 'kubernetes.default.svc';
const IN_CLUSTER_HOST = /^kubernetes(\.default(\.svc(\..+)?)?)?$/;
/** More than any cluster ID has, and less than a TLV holds. */
const MAX_ID_BYTES = 255;
const UNKNOWN_LABEL = 'hcp-doctor-unknown';

/**
 * Checks a path hop by hop, one connection at a time. Nothing secret is sent, and every connection and lookup ends
 * within the time limit.
 *
 * @param onResult told of each hop as soon as it is known
 */
export async function diagnose(target: Target, onResult?: (result: HopResult) => void): Promise<Path> {
  const path = new Path(onResult);
  const addresses = await path.hop('dns', [], () => checkDns(target.host, target));
  const address = await path.hop('tcp', ['dns'], () => checkTcp(addresses!, target));
  const dialer = new Dialer(target, address ?? target.host);
  await checkApi(path, target, dialer);
  await checkKonnectivity(path, target, dialer);
  await checkRefusals(path, target, dialer);
  await checkProxyProtocol(path, target);
  await path.hop('admin-kubeconfig', [], () => judgeAdminKubeconfig(target.adminKubeconfig));
  return path;
}

async function checkApi(path: Path, target: Target, dialer: Dialer): Promise<void> {
  const { serverName } = target;
  const caGiven = target.ca !== undefined;
  const connection = await path.hop('sni', ['tcp'], async (): Promise<Outcome<TlsConnection>> => isIP(serverName)
    ? failed(`${serverName} is an address: clients send no SNI, and a shared address cannot route them`,
      'dial a host name, or set tls-server-name in the kubeconfig')
    : judgeRouting(await dialer.look({ serverName }), { host: serverName, sans: target.sans, caGiven }));
  await path.hop('chain', ['sni'], () => checkChain(connection!, caGiven));
  await path.hop('sans', ['sni'], () => checkSans(connection!, [serverName], target.sans));
  await path.hop('alpn', ['sni'], async () => {
    const http1 = await dialer.look({ serverName, alpn: ['http/1.1'] });
    return checkAlpn(connection!.alpn, isFailure(http1) ? http1 : undefined);
  });
  const ask = async (resource: string, judge: (answer: Answer) => Outcome): Promise<Outcome> => {
    const line = await dialer.tls({ serverName, alpn: ['http/1.1'] });
    if (isFailure(line)) return failed(`${resource}: no TLS: ${line.detail}`, remedyFor(line));
    const answer = await request(line, serverName, resource, get);
    return answer instanceof RequestFailure ? judgeUnanswered(resource, answer) : judge(answer);
  };
  const own = caGiven && connection !== undefined && connection.chainError === undefined;
  await path.hop('version', ['sni'], () => ask('/version', answer => judgeVersion(answer, own)));
  await path.hop('readyz', ['version'], () => ask('/readyz', judgeReadyz));
}

async function checkKonnectivity(path: Path, target: Target, dialer: Dialer): Promise<void> {
  const { konnectivity } = target;
  if (!konnectivity) {
    for (const hop of ['konnectivity-dns', 'konnectivity-sni', 'konnectivity-certificate', 'konnectivity-grpc'] as const) {
      await path.hop(hop, [], () => skipped('no konnectivity host is known: give --konnectivity-host or --manifests'));
    }
    return;
  }
  const { host: serverName, port } = konnectivity;
  const caGiven = target.ca !== undefined;
  const addresses = await path.hop('konnectivity-dns', [], () => checkDns(serverName, target));
  const connection = await path.hop('konnectivity-sni', ['konnectivity-dns'], async (): Promise<Outcome<TlsConnection>> =>
    serverName === target.serverName && port === target.port
      ? failed(`${hostPort(konnectivity)} is the API's host: one SNI cannot lead to two servers`, 'give konnectivity a host of its own')
      : judgeRouting(await dialer.look({ serverName, port, address: addresses![0] }), { host: serverName, sans: [], caGiven }));
  await path.hop('konnectivity-certificate', ['konnectivity-sni'], () => {
    const chain = checkChain(connection!, caGiven);
    const names = checkSans(connection!, [serverName], []);
    return names.status === 'failed' || chain.status === 'ok' ? { ...names, certificate: chain.certificate } : chain;
  });
  await path.hop('konnectivity-grpc', ['konnectivity-sni'], async () => {
    if (connection!.alpn !== 'h2') {
      return failed(`${connection!.alpn ?? 'no protocol'} is chosen where h2 is offered`,
        'agents speak gRPC, which needs h2: pass TLS through unopened, to the konnectivity port of the Service');
    }
    const line = await dialer.tls({ serverName, port, alpn: ['h2'], address: addresses![0] });
    if (isFailure(line)) return failed(`no TLS for clients that offer h2 alone: ${line.detail}`, remedyFor(line));
    return judgeGrpc(await request(line, serverName, '/version', getHttp2));
  });
}

/** Clients that name no tenant must not reach one, neither this nor another. */
async function checkRefusals(path: Path, target: Target, dialer: Dialer): Promise<void> {
  const open = opennessOf(target);
  const check = (serverName: string | undefined, client: string, remedy: string) => async () => open === undefined
    ? judgeRefusal(await dialer.look({ serverName }),
      { host: target.serverName, caGiven: target.ca !== undefined, answersOthers: dialer.hasAnswered, client, remedy })
    : skipped(open);
  await path.hop('no-sni', ['tcp'], check(undefined, 'a client without SNI',
    'take away the default backend (default_backend, HostSNI(`*`), a rule without a host) that leads to a tenant: pods of every other tenant end there'));
  const unknown = `${UNKNOWN_LABEL}.${target.serverName.slice(target.serverName.indexOf('.') + 1)}`;
  await path.hop('unknown-sni', ['tcp'], isIP(target.serverName) ? () => skipped('the host is an address') : check(unknown, `a client that asks for ${unknown}`,
    'take away the wildcard host or the default backend that leads to a tenant'));
  await path.hop('in-cluster-sni', ['tcp'], check(IN_CLUSTER_NAME, `a client that asks for ${IN_CLUSTER_NAME}`,
    'take the kubernetes* names out of routes at the shared address: every tenant has them, so clients of one reach another'));
}

/** Why clients that name no tenant may reach this one. */
function opennessOf({ serverName, port, byPort }: Target): string | undefined {
  if (IN_CLUSTER_HOST.test(serverName)) return 'inside a tenant every client may reach it';
  return byPort ? `port ${port} is this tenant's own: it leads there whatever the name` : undefined;
}

async function checkProxyProtocol(path: Path, target: Target): Promise<void> {
  const { proxyProtocol } = target;
  if (!proxyProtocol) {
    for (const hop of ['proxy-protocol', 'proxy-refusal'] as const) {
      await path.hop(hop, [], () => skipped('no gateway is known: give --gateway-address and --cluster-id, or --manifests'));
    }
    return;
  }
  const open = (clusterId: string) => dialGateway(proxyProtocol, clusterId, target);
  await path.hop('proxy-protocol', [], async () => judgeProxyProtocol(await open(proxyProtocol.clusterId), target.serverName, target.ca !== undefined));
  await path.hop('proxy-refusal', ['proxy-protocol'], async () => judgeRefusal(await open(UNKNOWN_LABEL), {
    host: target.serverName,
    caGiven: target.ca !== undefined,
    // It has answered the right one: this hop needs that.
    answersOthers: true,
    client: 'a proxy with an unknown cluster ID',
    remedy: 'have the gateway reject what is not in its map',
  }));
}

/** Opens TLS as a proxy of a tenant does for its pods. */
async function dialGateway(gateway: ProxyProtocolTarget, clusterId: string, target: Target): Promise<TlsConnection | ConnectionFailure> {
  if (!isHost(gateway.host)) return { failure: 'other', detail: `${JSON.stringify(gateway.host)} is no host name` };
  if (Buffer.byteLength(clusterId) > MAX_ID_BYTES) return { failure: 'other', detail: `the cluster ID has more than ${MAX_ID_BYTES} bytes` };
  let address: string | undefined;
  try {
    [address] = target.connectTo !== undefined ? [target.connectTo] : await resolve(gateway.host, target);
  } catch (error) {
    return { failure: 'unreachable', detail: `DNS fails for ${gateway.host}: ${(error as Error).message}` };
  }
  if (address === undefined) return { failure: 'unreachable', detail: `${gateway.host} has no A or AAAA record` };
  const connection = await openTls({ host: address, port: gateway.port }, {
    serverName: IN_CLUSTER_NAME,
    ca: target.ca,
    timeoutMs: target.timeoutMs,
    preface: socket => proxyHeader(socket, gateway.tlvType, clusterId),
  });
  if (!isFailure(connection)) connection.socket.destroy();
  return connection;
}

async function request(line: TlsConnection, host: string, resource: string, send: typeof get): Promise<Answer | RequestFailure> {
  try {
    return await send(line, host, resource);
  } catch (error) {
    if (error instanceof RequestFailure) return error;
    throw error;
  }
}
