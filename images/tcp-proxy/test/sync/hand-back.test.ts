import { pino } from 'pino';
import { HandBack } from '../../src/sync/hand-back';
import { TenantCluster } from '../../src/sync/tenant-cluster';

const SECONDS = 1_000;

/** A tenant whose slices of `default/kubernetes` are these, and a clock. */
function tenant(slices: () => object[]) {
  const lines: { level: number; msg: string }[] = [];
  const clock = { now: 0 };
  const handBack = new HandBack(pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) }), () => clock.now);
  const api = {
    call: async (_method: string, _path: string, { query }: { query: { labelSelector: string } }) =>
      ({ items: query.labelSelector.startsWith('kubernetes.io/') ? slices() : [] }),
  };
  const visit = async (after: number) => {
    clock.now += after;
    return handBack.visit('tenants.a', { api } as unknown as TenantCluster);
  };
  return { visit, lines, forget: () => handBack.forget('tenants.a') };
}

const WRITTEN = { metadata: { name: 'kubernetes' }, endpoints: [{ addresses: ['10.0.0.1'] }] };

describe('the hand-back of default/kubernetes', () => {
  test('becomes a failure that names the flag and what to do, in status and log, when the API server does not write its endpoints', async () => {
    const { visit, lines } = tenant(() => []);
    expect(await visit(0)).toMatchObject({ phase: 'Pruning' });
    expect(await visit(119 * SECONDS)).toMatchObject({ phase: 'Pruning' });
    expect(lines).toEqual([]);
    const message = 'default/kubernetes has no endpoints, as the API server does not write its own: most likely --endpoint-reconciler-type=none is still set. '
      + 'Apply the management manifests without the tcp-proxy or the endpoints, and see that the control plane restarts without the flag';
    expect(await visit(SECONDS)).toMatchObject({ phase: 'Failed', message });
    expect(await visit(3600 * SECONDS)).toMatchObject({ phase: 'Failed', message });
    expect(lines).toMatchObject([{ level: 40, msg: message, tenant: 'tenants.a' }]);
  });

  test('is looked for ever more rarely, up to once a minute', async () => {
    const { visit } = tenant(() => []);
    const looks = [];
    for (const after of [0, 2, 8, 30, 60, 3600]) looks.push((await visit(after * SECONDS))!.lookMs / SECONDS);
    expect(looks).toEqual([2, 2, 5, 20, 50, 60]);
  });

  test('ends with the first address that others publish, also after a failure, and begins anew after that', async () => {
    const slices: object[] = [];
    const { visit, lines } = tenant(() => slices);
    await visit(0);
    await visit(600 * SECONDS);
    slices.push(WRITTEN);
    expect(await visit(SECONDS)).toBeUndefined();
    expect(lines.at(-1)).toMatchObject({ level: 30, msg: 'default/kubernetes is given back: others publish it' });
    slices.pop();
    expect(await visit(SECONDS)).toMatchObject({ phase: 'Pruning', lookMs: 2 * SECONDS });
  });

  test('begins anew when it was taken back in between', async () => {
    const { visit, forget } = tenant(() => []);
    await visit(0);
    forget();
    expect(await visit(600 * SECONDS)).toMatchObject({ phase: 'Pruning' });
  });
});
