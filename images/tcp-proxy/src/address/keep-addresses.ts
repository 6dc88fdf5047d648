import { setTimeout as sleep } from 'timers/promises';
import type { AddressConfiguration } from './configuration';
import { DummyDevice } from './dummy-device';
import { LocalNetworks } from './local-networks';
import { createLogger } from '../cli/logger';

/**
 * Puts the addresses on the device, and makes the networks local, again and again: systemd-networkd, for one, removes addresses that it
 * does not know. Returns at SIGTERM, or at once when asked for one turn; what it added stays, as a node that is still led
 * connections refuses them rather than passing them on.
 *
 * @throws Error when the first turn fails
 */
export async function keepAddresses(configuration: AddressConfiguration): Promise<void> {
  const { advertiseAddress: addresses = [], localNetwork: networks = [], device: name, interval, once } = configuration;
  const logger = createLogger(configuration.logLevel);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());

  const device = new DummyDevice(name);
  const local = new LocalNetworks(networks);
  const ensure = async () => [...addresses.length > 0 ? await device.ensure(addresses) : [], ...await local.ensure()];
  for (const other of await device.elsewhere(addresses)) {
    logger.warn({ device: other, addresses }, 'another device holds an advertise address too; the node may use it as a source address');
  }
  logger.info({ device: addresses.length > 0 ? name : undefined, added: await ensure(), addresses, networks }, 'addresses are in place');
  while (!once) {
    await sleep(interval, undefined, { signal: stop.signal }).catch(() => undefined);
    if (stop.signal.aborted) return;
    try {
      const added = await ensure();
      if (added.length > 0) logger.warn({ added }, 'addresses were gone, added again');
    } catch (error) {
      logger.error({ reason: (error as Error).message }, 'addresses not checked');
    }
  }
}
