import { App, Chart, YamlOutputType } from 'cdk8s';
import { controlPlaneOf, CONTROLLERS, hasOwnPorts, PLATFORMS, refused, TCP_PROXIES } from './matrix';
import { IngressExposedControlPlane, TcpProxyAddon } from '../../src';

/*
 * Run as a process of its own: synthesizes a platform with every pair of platform and controller, in an order that
 * depends on the seed.
 *
 * synth-shuffled.ts SEED OUTPUT_TYPE OUTDIR
 */
const [seed, outputType, outdir] = process.argv.slice(2);
const TCP_PROXY = 'sni, replicas, owned';

process.removeAllListeners('warning');
const random = generator(Number(seed));
const app = new App({ outdir, yamlOutputType: YamlOutputType[outputType as keyof typeof YamlOutputType] });
// Objects of one file are in the order of construction: that is cdk8s' promise.
const oneChartForAll = outputType === 'FILE_PER_CHART' ? undefined : new Chart(app, 'management');

const controllers = Object.fromEntries(shuffled(Object.keys(CONTROLLERS)).map(name =>
  [name, CONTROLLERS[name](new Chart(app, name.replace(/\W+/g, '-')), 'example.com')]));
for (const [i, { platform, controller }] of shuffled(pairs())) {
  const name = `tenant-${i}`;
  const controlPlane = new IngressExposedControlPlane(oneChartForAll ?? new Chart(app, `management-${i}`), name, {
    ...controlPlaneOf({ platform, controller, konnectivity: true }, name),
    controller: controllers[controller],
    labels: Object.fromEntries(shuffled([['team', 'a'], ['stage', 'b'], ['cost', 'c']])),
  });
  new TcpProxyAddon(new Chart(app, name), 'tcp-proxy', { controlPlane, ...TCP_PROXIES[TCP_PROXY]() });
}
app.synth();

function pairs(): [number, { platform: string; controller: string }][] {
  // There are fewer ports than tenants here.
  return Object.keys(PLATFORMS).filter(platform => !hasOwnPorts(platform))
    .flatMap(platform => Object.keys(CONTROLLERS).map(controller => ({ platform, controller })))
    .filter(pair => !refused({ ...pair, konnectivity: true, tcpProxy: TCP_PROXY }))
    .map((pair, i) => [i, pair]);
}

/** Fisher and Yates' shuffle. */
function shuffled<T>(items: T[]): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}

/** A linear congruential generator, with the constants of Numerical Recipes. */
function generator(start: number): () => number {
  let state = start;
  return () => (state = (state * 1664525 + 1013904223) % 2 ** 32) / 2 ** 32;
}
