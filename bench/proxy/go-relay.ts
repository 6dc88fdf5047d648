import { Contender, ContenderOptions, contenderProcess, LISTEN_PORT, listens, targetOf } from './contender';
import { eventually } from '../../test/data-path/support/eventually';
import { EXPOSURE } from '../../test/e2e/support/cluster';

/** Starts the relay of bench/relay. */
export async function startGoRelay(options: ContenderOptions): Promise<Contender> {
  const { installation, node, keyType } = options;
  const serving = installation.servingFolder(keyType);
  const relay = contenderProcess(process.env.BENCH_RELAY!, [
    '-listen', `${node}:${LISTEN_PORT}`, '-upstream', installation.upstream, '-server-name', EXPOSURE.api.host,
    '-ca', installation.cluster.caFile, '-cert', `${serving}/tls.crt`, '-key', `${serving}/tls.key`,
  ]);
  await eventually(() => listens(node));
  return { name: 'go-relay', processes: { node: relay }, target: targetOf(options), stop: () => relay.stop() };
}
