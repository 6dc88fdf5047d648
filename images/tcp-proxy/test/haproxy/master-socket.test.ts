import { writeFileSync } from 'fs';
import { join } from 'path';
import { describeWithHaproxy } from '../../../../test/support/haproxy';
import { RuntimeApi, RuntimeApiError } from '../../src/haproxy/runtime-api';
import { Installation } from '../support/installation';

jest.setTimeout(60_000);

describeWithHaproxy('the sockets of HAProxy', () => {
  let installation: Installation;

  beforeEach(async () => {
    installation = await Installation.create();
    await installation.serve().readyz(200);
  });
  afterEach(() => installation.remove());

  test('a reload starts another worker and keeps the old one for its streams', async () => {
    const { client, master, upstream } = installation;
    const stream = await client.stream();
    const before = await installation.haproxy('worker');

    expect(await master.reload()).toMatchObject({ success: true });
    const processes = await master.processes();
    expect(processes).toContainEqual(expect.objectContaining({ pid: before, type: 'worker', old: true }));
    expect(await installation.haproxy('worker')).not.toBe(before);
    upstream.streams[0].end('still here\n');
    await stream.waitFor('still here');
  });

  test('a reload with a broken configuration fails with the words of HAProxy, and the worker stays', async () => {
    const before = await installation.haproxy('worker');
    writeFileSync(join(installation.runDir, 'accepted', 'haproxy.cfg'), 'defaults\n  mode tpc\n');

    const { success, log } = await installation.master.reload();
    expect(success).toBe(false);
    expect(log).toContain("unknown proxy mode 'tpc'");
    expect(await installation.haproxy('worker')).toBe(before);
  });

  test('a refused certificate leaves no transaction behind', async () => {
    const runtime = new RuntimeApi(`${installation.runDir}/haproxy.sock`);
    const { certificate } = await installation.issueServing();
    const { key } = await installation.issueServing();

    await expect(runtime.replaceCertificate('@serving/tls', certificate + key)).rejects.toThrow(RuntimeApiError);
    expect(await runtime.execute('show ssl cert')).not.toContain('# transaction');
    await expect(runtime.replaceCertificate('@nobody/knows', certificate + key)).rejects.toThrow(/@nobody\/knows/);
  });
});
