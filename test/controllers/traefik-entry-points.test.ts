import * as fc from 'fast-check';
import { IngressController } from '../../src';
import { mergeHelmValues } from '../../src/ingress-controller-install/helm-values';

/** What the chart has by itself: port in the pod, public port, and whether it is shown (traefik/traefik-helm-chart, `traefik/values.yaml`). */
const OF_CHART = (traefikPort: number) => ({
  web: { port: 8000, exposedPort: 80, expose: { default: true } },
  websecure: { port: 8443, exposedPort: 443, expose: { default: true } },
  traefik: { port: traefikPort, exposedPort: traefikPort, expose: { default: false } },
  metrics: { port: 9100, exposedPort: 9100, expose: { default: false } },
});
/** `traefik` moved with version 33. */
const CHARTS: [string, number][] = [['before 33', 9000], ['since 33', 8080]];

const SHOWN = { expose: { default: true }, protocol: 'TCP' };

describe('the entry points of Traefik\'s chart', () => {
  test('hide websecure when another one serves 443', () => {
    expect(IngressController.traefik({ entryPoint: 'tls' }).helmValues().ports).toEqual({
      tls: { port: 8444, exposedPort: 443, ...SHOWN },
      websecure: { expose: { default: false } },
    });
  });

  test('hide web when another one serves 80', () => {
    expect(IngressController.traefik({ entryPointsByPort: { 80: 'plain' } }).helmValues().ports).toEqual({
      plain: { port: 8444, exposedPort: 80, ...SHOWN },
      websecure: { port: 8443, exposedPort: 443, ...SHOWN },
      web: { expose: { default: false } },
    });
  });

  test('leave the chart\'s own where they are in the pod, whatever their public port', () => {
    expect(IngressController.traefik({ entryPoint: 'web', entryPointsByPort: { 6443: 'websecure' } }).helmValues().ports).toEqual({
      web: { port: 8000, exposedPort: 443, ...SHOWN },
      websecure: { port: 8443, exposedPort: 6443, ...SHOWN },
    });
  });

  const name = fc.constantFrom('web', 'websecure', 'tls', 'api', 'konnectivity', 'a', 'b', 'c');
  const port = fc.constantFrom(80, 443, 6443, 8000, 8080, 8132, 8443, 8444, 9000, 9100);
  test.each(CHARTS)('never share a port in the pod or in the Service, with the chart %s', (_, traefikPort) => {
    fc.assert(fc.property(fc.option(name, { nil: undefined }), fc.uniqueArray(fc.tuple(port, name), { selector: ([number]) => number, maxLength: 6 }),
      (entryPoint, byPort) => {
        const controller = attempt(() => IngressController.traefik({ entryPoint, entryPointsByPort: Object.fromEntries(byPort) }));
        fc.pre(controller !== undefined);
        const entryPoints: any[] = Object.values(mergeHelmValues(OF_CHART(traefikPort), controller!.helmValues().ports));
        expectDistinct(entryPoints.map(entry => entry.port));
        expectDistinct(entryPoints.filter(entry => entry.expose.default).map(entry => entry.exposedPort));
      }), { numRuns: 300 });
  });

  test('give every public port that routes may have the entry point that they name', () => {
    const { ports } = IngressController.traefik({ entryPoint: 'tls', entryPointsByPort: { 6443: 'api', 8132: 'konnectivity' } }).helmValues();
    expect([ports.tls, ports.api, ports.konnectivity].map(({ exposedPort, expose }) => [exposedPort, expose.default]))
      .toEqual([[443, true], [6443, true], [8132, true]]);
  });

  test('go around the ports that the chart has for itself, however many there are', () => {
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [10_000 + i, `e${i}`]));
    const { ports } = IngressController.traefik({ entryPointsByPort: many }).helmValues();
    const used = Object.values<any>(ports).map(entry => entry.port);
    expectDistinct(used);
    expect(used.filter(number => [8000, 8080, 9000, 9100].includes(number))).toEqual([]);
  });

  test.each(['traefik', 'metrics'])('refuse %s, where Traefik answers itself', entryPoint => {
    expect(() => IngressController.traefik({ entryPoint }).helmValues()).toThrow(
      `entryPoint: "${entryPoint}" is where Traefik shows its health, dashboard or metrics, in its chart. Give the routes an entry point of their own.`);
  });

  test.each(['webSecure', 'a.b', 'a--b', '-a', '443', 'sixteen-letters-', 'a-very-long-name', ''])('refuse %p, of which the chart cannot make a port', entryPoint => {
    expect(() => IngressController.traefik({ entryPointsByPort: { 6443: entryPoint } }).helmValues()).toThrow(
      `entryPoint: "${entryPoint}" cannot be the name of a port, which Traefik's chart makes of it. ` +
      'Use up to 15 lower-case letters, digits and single "-", with a letter among them.');
  });
});

function expectDistinct(ports: number[]): void {
  expect(ports.length).toBeGreaterThan(0);
  expect([...new Set(ports)]).toEqual(ports);
}

/** Undefined where the entry points contradict each other, which is an error. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
