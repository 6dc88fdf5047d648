import { execFileSync } from 'child_process';
import { mkdtempSync, writeFileSync } from 'fs';
import { get } from 'http';
import { tmpdir } from 'os';
import { join } from 'path';
import { Contender, ContenderOptions, imageProcess, LISTEN_PORT, targetOf } from './contender';
import { HEALTH_PORT } from '../../src/agent/contract/health';
import { tcpProxyHaproxyConfig, TcpProxyHaproxyOptions } from '../../src/tcp-proxy/haproxy-config';
import { resolveTcpProxy, TCP_PROXY_DEFAULTS } from '../../src/tcp-proxy/settings';
import { EXPOSURE } from '../../test/e2e/support/cluster';

const { namespace: NAMESPACE } = TCP_PROXY_DEFAULTS;
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const POLL_MS = 5;
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
  const { installation: { api, cluster, upstream }, node, keyType, maxConnections } = options;
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const name = `tcp-proxy-${node.split('.').pop()}`;
  const paths = { run: join(folder, 'run'), tls: options.installation.servingFolder(keyType), ca: cluster.caFile };
  writeFileSync(join(folder, 'token'), await cluster.token(NAMESPACE, 'tcp-proxy'));
  writeFileSync(join(folder, 'haproxy.cfg'), build.config({
    // The one client of the benchmark may have all connections.
    ...resolveTcpProxy({ maxConnections, shares: { perSource: maxConnections } }, 'tls').haproxy,
    paths,
    upstream: { host: upstream.split(':')[0], port: Number(upstream.split(':')[1]), mode: 'tls', serverName: EXPOSURE.api.host },
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
  ], build.imageRoot);
  while (!await answers(node)) {
    if (!process.alive || performance.now() - began > DEADLINE_MS) {
      throw new Error(`tcp-proxy does not become ready:\n${process.output}`);
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
  const startMs = performance.now() - began;
  await patchStatus({ conditions: ['Ready', 'ContainersReady'].map(type => ({ type, status: 'True' })) });

  return {
    name: build.name,
    process,
    target: targetOf(options),
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

function answers(node: string): Promise<boolean> {
  return new Promise(resolve => {
    get({ host: node, port: HEALTH_PORT, path: '/readyz', agent: false }, response => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    }).on('error', () => resolve(false));
  });
}
