import { SERVICE_ACCOUNT } from './api-servers';
import { Installation } from './installation';
import { NAMES } from './platform';
import { whoAmI } from './requests';
import { MasterSocket } from '../images/tcp-proxy/src/haproxy/master-socket';

const REPAIRED_WITHIN_MS = 20_000;
const ASK_AGAIN_MS = 10;

/** What became of a fault. */
export interface Repair {
  readonly fault: string;
  /** What heals it. */
  readonly healer: string;
  /** From the fault until a pod is answered again; undefined when it was not. */
  readonly milliseconds?: number;
}

/** Kills the HAProxy that all pods of the first tenant go through, and asks as a pod until somebody answers. */
export async function killHaproxy({ apiServers, ports, sniProxyMaster }: Installation): Promise<Repair> {
  const master = new MasterSocket(sniProxyMaster);
  const worker = (await master.processes()).find(({ type, old }) => type === 'worker' && !old)!;
  const request = { port: ports.sniProxy, verifiedName: 'kubernetes.default.svc', apiServer: apiServers[0], token: apiServers[0].token };
  const began = performance.now();
  process.kill(worker.pid, 'SIGKILL');
  const elapsed = () => Math.round(performance.now() - began);
  let answered = false;
  while (!answered && elapsed() < REPAIRED_WITHIN_MS) {
    answered = (await whoAmI(request)).user === SERVICE_ACCOUNT;
    if (!answered) await new Promise(resolve => setTimeout(resolve, ASK_AGAIN_MS));
  }
  return {
    fault: `kill -9 ${worker.pid}, the HAProxy of ${NAMES[0]}'s tcp-proxy`,
    healer: 'its agent starts another',
    milliseconds: answered ? elapsed() : undefined,
  };
}
