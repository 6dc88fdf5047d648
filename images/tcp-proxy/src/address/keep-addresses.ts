import { setTimeout as sleep } from 'timers/promises';
import type { AddressConfiguration } from './configuration';
import { DummyDevice } from './dummy-device';
import { createLogger } from '../cli/logger';

/**
 * Puts the addresses on the device, again and again: systemd-networkd, for one, removes addresses that it does not know.
 * Returns at SIGTERM, or at once when asked for one turn; the addresses stay.
 *
 * @throws Error when the first turn fails
 */
export async function keepAddresses(configuration: AddressConfiguration): Promise<void> {
  const { advertiseAddress: addresses, device: name, interval, once } = configuration;
  const logger = createLogger(configuration.logLevel);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());

  const device = new DummyDevice(name);
  for (const other of await device.elsewhere(addresses)) {
    logger.warn({ device: other, addresses }, 'another device holds an advertise address too; the node may use it as a source address');
  }
  logger.info({ device: name, added: await device.ensure(addresses), addresses }, 'advertise addresses are in place');
  while (!once) {
    await sleep(interval, undefined, { signal: stop.signal }).catch(() => undefined);
    if (stop.signal.aborted) return;
    try {
      const added = await device.ensure(addresses);
      if (added.length > 0) logger.warn({ device: name, added }, 'advertise addresses were gone, added again');
    } catch (error) {
      logger.error({ device: name, reason: (error as Error).message }, 'advertise addresses not checked');
    }
  }
}
