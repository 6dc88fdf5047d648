import { execFileSync } from 'child_process';
import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Contender, ContenderOptions, imageProcess, LISTEN_PORT, targetOf, untilReady } from './contender';
import { HEALTH_PORT } from '../../src/agent/contract/health';
import { tcpProxyHaproxyConfig, TcpProxyHaproxyOptions, TcpProxyUpstreamConfig } from '../../src/tcp-proxy/haproxy-config';
import { resolveTcpProxy, TCP_PROXY_DEFAULTS } from '../../src/tcp-proxy/settings';
import { EXPOSURE } from '../../test/e2e/support/cluster';
import { Process } from '../../test/e2e/support/process';

const { namespace: NAMESPACE } = TCP_PROXY_DEFAULTS;
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const DEADLINE_MS = 60_000;

/** The complete proxy as a pod runs it, and how long it took to become ready. */
export interface TcpProxy extends Contender {
  /** Milliseconds from the start of the process to the first positive answer of `/readyz`. */
  readonly startMs: number;
}

/** What a tcp-proxy is made of: the configuration of a library, and an image. */
interface Build {
  readonly name: 'tcp-proxy' | 'previous';
  /** Root file system of the image. */
  readonly imageRoot?: string;
  config(options: TcpProxyHaproxyOptions): string;
}

const THIS: Build = { name: 'tcp-proxy', config: options => tcpProxyHaproxyConfig(options).render() };
const PREVIOUS: Build = {
  name: 'previous',
  imageRoot: process.env.PREVIOUS_IMAGE_ROOT,
  // `gracePeriodSeconds` is the former name of `reloadGraceSeconds`.
  config: options => execFileSync(process.execPath, ['--import', 'tsx', '-e',
    `console.log(require('./src/tcp-proxy/haproxy-config').tcpProxyHaproxyConfig(${
      JSON.stringify({ ...options, gracePeriodSeconds: options.reloadGraceSeconds })}).render())`],
  { cwd: process.env.BENCH_PREVIOUS, encoding: 'utf8' }),
};

/** Starts `tcp-proxy serve` with the library's configuration: the agent owns `default/kubernetes` of a real API server. */
export function startTcpProxy(options: ContenderOptions): Promise<TcpProxy> {
  return startBuild(THIS, options);
}

/** The same with library and image of the checkout that BENCH_PREVIOUS names. */
export function startPrevious(options: ContenderOptions): Promise<TcpProxy> {
  return startBuild(PREVIOUS, options);
}

async function startBuild(build: Build, options: ContenderOptions): Promise<TcpProxy> {
  const [host, port] = options.installation.upstream.split(':');
  const { process, startMs, stop } = await startNode(options, { host, port: Number(port), mode: 'tls', serverName: EXPOSURE.api.host }, { build });
  return { name: build.name, processes: { node: process }, target: targetOf(options), startMs, stop };
}

/** The node's part of a way. */
interface RunningNode {
  readonly process: Process;
  readonly startMs: number;
  stop(): Promise<void>;
}

/**
 * Starts a complete proxy with this upstream, as one more pod that owns `default/kubernetes`.
 *
 * @param tunnelFolder with its client certificate, where the upstream is reached by a tunnel
 */
export async function startNode(
  options: ContenderOptions,
  upstream: TcpProxyUpstreamConfig,
  { build = THIS, tunnelFolder }: { readonly build?: Build; readonly tunnelFolder?: string } = {},
): Promise<RunningNode> {
  const { installation: { api, cluster }, node, keyType, maxConnections } = options;
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const name = `tcp-proxy-${node.split('.').pop()}`;
  const opensTls = upstream.mode === 'tls';
  const paths = { run: join(folder, 'run'), tls: opensTls ? options.installation.servingFolder(keyType) : join(folder, 'none'), ca: cluster.caFile };
  writeFileSync(join(folder, 'token'), await cluster.token(NAMESPACE, 'tcp-proxy'));
  writeFileSync(join(folder, 'haproxy.cfg'), build.config({
    // The one client of the benchmark may have all connections.
    ...resolveTcpProxy({ maxConnections, shares: { perSource: maxConnections } }, upstream.mode).haproxy,
    paths,
    upstream,
    listenAddresses: [node],
    families: ['ipv4'],
    hostAliased: true,
  }));
  await api.send('POST', PODS, {
    metadata: { name, labels: { 'app.kubernetes.io/name': 'tcp-proxy' } },
    spec: { nodeName: `node-${node}`, hostNetwork: true, containers: [{ name: 'tcp-proxy', image: 'tcp-proxy' }] },
  });
  await patchStatus({ phase: 'Running', hostIP: node, hostIPs: [{ ip: node }], podIP: node, podIPs: [{ ip: node }] });

  const began = performance.now();
  const process = imageProcess('/usr/bin/tcp-proxy', [
    'serve',
    `--haproxy-config=${folder}/haproxy.cfg`,
    `--run-dir=${paths.run}`,
    `--tls-dir=${paths.tls}`,
    `--ca-file=${paths.ca}`,
    `--token-file=${folder}/token`,
    `--api-server=${EXPOSURE.kubeconfigServer}`,
    `--endpoint-port=${LISTEN_PORT}`,
    `--namespace=${NAMESPACE}`,
    `--pod-name=${name}`,
    `--host-ips=${node}`,
    `--health-address=${node}:${HEALTH_PORT}`,
    '--propagation-delay=0s',
    '--grace-period=1s',
    ...tunnelFolder === undefined ? [] : [`--tunnel-dir=${tunnelFolder}`],
  ], build.imageRoot);
  await untilReady(process, node, DEADLINE_MS);
  const startMs = performance.now() - began;
  await patchStatus({ conditions: ['Ready', 'ContainersReady'].map(type => ({ type, status: 'True' })) });

  return {
    process,
    startMs,
    stop: async () => {
      // It ends its HAProxy, which would outlive a SIGKILL.
      await process.kill('SIGTERM');
      await api.send('DELETE', `${PODS}/${name}?gracePeriodSeconds=0`);
    },
  };

  function patchStatus(status: object): Promise<unknown> {
    return api.send('PATCH', `${PODS}/${name}/status`, { status }, 'application/merge-patch+json');
  }
}
