import { setTimeout as sleep } from 'timers/promises';
import { LISTEN_PORT } from './contender';
import { Installation } from './installation';
import { round, quantile } from './statistics';
import { startTcpProxy } from './tcp-proxy';

const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
/** The agent answers a fight over its objects with growing delays; deletions this far apart are none. */
const PAUSE_MS = 1_000;
const REPAIR_DEADLINE_MS = 30_000;

/** What only our proxy does. */
export interface ControlPlaneFigures {
  readonly startToReadyMs: { readonly median: number; readonly max: number; readonly starts: number };
  readonly repairMs: { readonly p50: number; readonly p99: number; readonly tries: number };
}

/** Starts the proxy several times into a cluster that has no other, and lets the last one repair its EndpointSlice. */
export async function measureControlPlane(installation: Installation, starts: number, tries: number): Promise<ControlPlaneFigures> {
  const startTimes: number[] = [];
  let repairs: number[] = [];
  while (startTimes.length < starts) {
    const proxy = await startTcpProxy({ installation, keyType: 'ecdsa', node: installation.node(), maxConnections: 300 });
    startTimes.push(proxy.startMs);
    if (startTimes.length === starts) {
      repairs = await measureRepairs(installation, tries);
    }
    await proxy.stop();
  }
  return {
    startToReadyMs: { median: round(quantile(startTimes, 0.5)), max: round(Math.max(...startTimes)), starts },
    repairMs: { p50: round(quantile(repairs, 0.5)), p99: round(quantile(repairs, 0.99)), tries },
  };
}

/** From sending the deletion to the event that reports the new object, as kube-proxy sees it. */
async function measureRepairs({ api }: Installation, tries: number): Promise<number[]> {
  const { items: [slice], metadata: { resourceVersion } } = await api.send('GET', SLICES);
  if (slice?.ports[0].port !== LISTEN_PORT) {
    throw new Error('the proxy has published no EndpointSlice');
  }
  let onAdded: (at: number) => void = () => undefined;
  const stop = await api.watch(`${SLICES}?resourceVersion=${resourceVersion}`, ({ type, at }) => {
    if (type === 'ADDED') {
      onAdded(at);
    }
  });
  const repairs: number[] = [];
  while (repairs.length < tries) {
    await sleep(PAUSE_MS);
    const added = new Promise<number>((resolve, reject) => {
      onAdded = resolve;
      setTimeout(() => reject(new Error('the EndpointSlice did not come back')), REPAIR_DEADLINE_MS).unref();
    });
    const deleted = performance.now();
    await api.send('DELETE', `${SLICES}/${slice.metadata.name}`);
    repairs.push(await added - deleted);
  }
  stop();
  return repairs;
}
