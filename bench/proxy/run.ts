import { mkdirSync, writeFileSync } from 'fs';
import { join } from 'path';
import { Contender, ContenderName, contendersFor, OPENING } from './contender';
import { measureControlPlane } from './control-plane';
import { Amounts, DataPathValues, measureDataPath } from './data-path';
import { startGoRelay } from './go-relay';
import { startHaproxy } from './haproxy';
import { Installation, KEY_TYPES } from './installation';
import { machine } from './machine';
import { measureConnectionMemory, measureMemory } from './memory';
import { startIpv6Address, startPort, startSharedGateway, startSniEdge, startTunnel } from './passing';
import { dataPathFigures, perContender, perKeyType, printDataPath, printReport, ratiosTo, Report, waysTo } from './report';
import { verdicts, verdictsOfWays } from './targets';
import { startPrevious, startTcpProxy } from './tcp-proxy';
import { resolveTcpProxy } from '../../src/tcp-proxy/settings';
import { stopParts } from '../../test/data-path/support/parts';
import { KeyType } from '../../test/support/certificates';

/** Runs in the namespace that bench/proxy.ts makes. */

interface Settings extends Amounts {
  readonly rounds: number;
  readonly starts: number;
  readonly repairs: number;
}

const FULL: Settings = {
  rounds: Number(process.env.BENCH_ROUNDS ?? 5),
  starts: 5,
  repairs: 50,
  smallRequests: 24_000,
  largeRequests: 12_000,
  bytes: 2 ** 30,
  handshakes: 1_000,
  latencyRequests: 4_000,
};
/** What the ways that leave TLS closed are judged by is a new connection and latency; the rest is beside it. */
const WAYS: Settings = { ...FULL, smallRequests: 8_000, largeRequests: 4_000, bytes: 2 ** 28 };
/** Enough to see that everything works. */
const SMOKE: Settings = {
  rounds: 1,
  starts: 1,
  repairs: 3,
  smallRequests: 6_000,
  largeRequests: 3_000,
  bytes: 2 ** 28,
  handshakes: 250,
  latencyRequests: 1_000,
};
const RESULTS = join(__dirname, '..', 'results');

const START: { [name in ContenderName]: typeof startHaproxy } = {
  'tcp-proxy': startTcpProxy,
  'previous': startPrevious,
  'haproxy': startHaproxy,
  'go-relay': startGoRelay,
  'sni-edge': startSniEdge,
  'shared-gateway': startSharedGateway,
  'port': startPort,
  'ipv6-address': startIpv6Address,
  'tunnel': startTunnel,
};

void main(process.argv.includes('--smoke'), process.argv.includes('--ways'));

async function main(smoke: boolean, ways: boolean): Promise<void> {
  try {
    const report = await measure(smoke ? SMOKE : ways ? WAYS : FULL, ways);
    if (!smoke) {
      mkdirSync(RESULTS, { recursive: true });
      writeFileSync(join(RESULTS, ways ? 'ways.json' : 'proxy.json'), `${JSON.stringify(report, null, 2)}\n`);
    }
  } finally {
    await stopParts();
  }
}

/** @param waysAlone leaves out what has nothing to do with the ways that leave TLS closed, which takes more than half of the time */
async function measure(settings: Settings, waysAlone: boolean): Promise<object> {
  const installation = await progress('start of the API server', () => Installation.start());
  const start = (name: ContenderName, keyType: KeyType, maxConnections = resolveTcpProxy({}, 'tls').haproxy.maxConnections) =>
    START[name]({ installation, keyType, node: installation.node(), maxConnections });
  if (waysAlone) {
    return measureWays();
  }

  const controlPlane = await progress('start and repair', () => measureControlPlane(installation, settings.starts, settings.repairs));
  const values = await perKeyType(keyType => progress(`CPU and latency, ${keyType}`, () => dataPath(keyType, name => start(name, keyType))));
  const figures = await perKeyType(keyType => dataPathFigures(values[keyType]));
  KEY_TYPES.forEach(keyType => printDataPath(figures[keyType]));
  const memory = await perKeyType(keyType => progress(`memory, ${keyType}`, () =>
    perContender(contendersFor(keyType), name => measureMemory(maxConnections => start(name, keyType, maxConnections)))));

  const report = {
    machine: machine(),
    settings,
    dataPath: figures,
    memory,
    controlPlane,
    ways: waysTo(values.ecdsa, memory.ecdsa),
    ratios: await perKeyType(keyType => ({
      toHaproxy: ratiosTo('haproxy', values[keyType], memory[keyType]),
      toGoRelay: ratiosTo('go-relay', values[keyType], memory[keyType]),
      ...OPENING.includes('previous') && { toPrevious: ratiosTo('previous', values[keyType], memory[keyType]) },
    })),
  };
  const judged: Report = { ...report, targets: verdicts(report) };
  printReport(judged);
  return judged;

  async function measureWays(): Promise<object> {
    const names = contendersFor('ecdsa');
    const measured = await progress('CPU and latency', () => dataPath('ecdsa', name => start(name, 'ecdsa')));
    const perWay = await dataPathFigures(measured);
    printDataPath(perWay);
    const held = await progress('memory', () => perContender(names, name => measureConnectionMemory(maxConnections => start(name, 'ecdsa', maxConnections))));
    const ways = waysTo(measured, held);
    const targets = verdictsOfWays(ways, perWay);
    console.table(targets);
    return { machine: machine(), settings, dataPath: perWay, memory: held, ways, targets };
  }

  async function dataPath(keyType: KeyType, startContender: (name: ContenderName) => Promise<Contender>): Promise<DataPathValues> {
    const contenders = Object.values(await perContender(contendersFor(keyType), startContender));
    const all = await measureDataPath(contenders, installation, settings.rounds, settings);
    await Promise.all(contenders.map(contender => contender.stop()));
    return all;
  }
}

async function progress<T>(name: string, step: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await step();
  console.log(`${name}: ${Math.round((performance.now() - began) / 1000)} s`);
  return result;
}
