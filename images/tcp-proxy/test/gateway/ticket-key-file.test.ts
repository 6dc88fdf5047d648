import { generateKeyPairSync } from 'crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { TicketKeys } from '../../src/gateway/ticket-keys';
import { RuntimeApi } from '../../src/haproxy/runtime-api';

const HOUR = 3_600_000;

test('ticket keys whose file could not be written are written with the next look, though HAProxy uses them already', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ticket-keys-'));
  try {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(join(folder, 'tls.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(join(folder, 'ca.crt'), 'the authorities of the clients');
    const file = (name: string) => join(folder, name);
    const inFile = () => readFileSync(file('ticket-keys'), 'utf8').trimEnd().split('\n');
    let now = HOUR;
    let used: string[] = [];
    const execute = async (command: string) => {
      if (command.startsWith('show tls-keys')) return used.map((key, i) => `0.${i} ${key}\n`).join('');
      used = [...used.slice(1), command.split(' ')[4]];
      return 'TLS ticket key updated!';
    };
    const keys = new TicketKeys({ file, runtime: { execute } as unknown as RuntimeApi, now: () => now });
    await keys.check();
    used = inFile();
    now += HOUR;
    // Nothing can be written to the place of a folder.
    mkdirSync(file('ticket-keys.new'));
    await expect(keys.reconcile()).rejects.toThrow('EISDIR');
    expect(used).not.toEqual(inFile());
    rmdirSync(file('ticket-keys.new'));
    await keys.reconcile();
    expect(inFile()).toEqual(used);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
