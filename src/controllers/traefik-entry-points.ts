import { isInPortRange, PortRange } from '../model/port-range';
import { invalidInput } from '../validation/invalid-input';

/** The entry points that the chart has by itself, with their ports in the pod (traefik/traefik-helm-chart, `traefik/values.yaml`). */
const OF_CHART: ReadonlyMap<string, number> = new Map([['web', 8000], ['websecure', 8443], ['traefik', 8080], ['metrics', 9100]]);
/** Those that the chart shows to the public, with their public ports. */
const SHOWN_BY_CHART: readonly [string, number][] = [['web', 80], ['websecure', 443]];
/** Those where Traefik answers itself: health, dashboard, metrics. */
const INTERNAL = ['traefik', 'metrics'];
/** `traefik` had another port before version 33 of the chart. */
const TAKEN = new Set([...OF_CHART.values(), 9000]);

/**
 * Values of the chart for entry points: those that are used, at ports of their own in the pod, and the chart's own out of
 * their way: it is hidden where nobody uses it and another one has its public port.
 *
 * `expose` is an object since version 27 of the chart. Ports in the pod are above 1024, as Traefik listens without privileges.
 *
 * A router without entry points is at every one, unless some say `asDefault`. Were the HTTPS routers of others at the ports of tenants, then whoever
 * sends their hosts, and where one has no host everybody, would get those. So the others say it where there are such ports.
 *
 * @param used        the entry points by public port
 * @param tenantPorts the ports of them that lead to one tenant each
 */
export function entryPointValues(used: ReadonlyMap<number, string>, tenantPorts?: PortRange): { [entryPoint: string]: any } {
  const free = freePorts();
  const names = new Set(used.values());
  names.forEach(validateEntryPoint);
  const asDefault = (port: number) => tenantPorts && !isInPortRange(port, tenantPorts) ? { asDefault: true } : {};
  const shown = [...used].map(([exposedPort, name]): [string, any] =>
    [name, { port: OF_CHART.get(name) ?? free.next().value, exposedPort, expose: { default: true }, protocol: 'TCP', ...asDefault(exposedPort) }]);
  const hidden = SHOWN_BY_CHART.filter(([name, publicPort]) => !names.has(name) && used.has(publicPort))
    .map(([name]): [string, any] => [name, { expose: { default: false } }]);
  const ofChart = SHOWN_BY_CHART.filter(([name, publicPort]) => tenantPorts && !names.has(name) && !used.has(publicPort))
    .map(([name]): [string, any] => [name, { asDefault: true }]);
  return Object.fromEntries([...shown, ...hidden, ...ofChart]);
}

function* freePorts(): Generator<number, never> {
  for (let port = 8444; ; port++) {
    if (!TAKEN.has(port)) {
      yield port;
    }
  }
}

/** The chart makes flags, and names of ports of the pod and the Service, of it. */
function validateEntryPoint(name: string): void {
  if (INTERNAL.includes(name)) {
    throw invalidInput('entryPoint', name, 'is where Traefik shows its health, dashboard or metrics, in its chart', 'Give the routes an entry point of their own');
  }
  if (name.length > 15 || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || !/[a-z]/.test(name)) {
    throw invalidInput('entryPoint', name, 'cannot be the name of a port, which Traefik\'s chart makes of it',
      'Use up to 15 lower-case letters, digits and single "-", with a letter among them');
  }
}
