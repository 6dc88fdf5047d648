import { ContenderName } from './contender';
import { CPU_FIGURES } from './data-path';
import { KEY_TYPES } from './installation';
import { DataPathFigures, PerContender, Report, Ways } from './report';

/** What the project promises of the proxy, and whether a run kept it. */
export interface Verdict {
  readonly target: string;
  readonly value: number;
  /** The greatest value that is allowed. */
  readonly limit: number;
  readonly met: boolean;
}

const MIB = 1024;
/** Ways without anything of ours in the tenant, and the part of a Go relay that a new connection may cost. */
const ZERO_TOUCH = [{ name: 'port', handshake: 0.3 }, { name: 'ipv6-address', handshake: 0.2 }] as const;
/** Whose latency is promised: each whole way, but for the edge behind that which opens TLS, as there is one behind the Go relay too. */
const OURS: readonly ContenderName[] = ['tcp-proxy', 'shared-gateway', 'port', 'ipv6-address', 'tunnel'];
/** Ways through two of our proxies, where a Go relay has an edge behind it as well. */
const TWO_PROXIES: readonly ContenderName[] = ['shared-gateway', 'tunnel'];

/** Compares a run with every target. The median of the rounds counts for ratios. */
export function verdicts({ dataPath, ratios, ways, memory, controlPlane }: Omit<Report, 'targets'>): Verdict[] {
  const pods = KEY_TYPES.map(keyType => memory[keyType]['tcp-proxy']!);
  return [
    ...KEY_TYPES.flatMap(keyType => CPU_FIGURES.map(figure =>
      verdict(`${figure}, ${keyType}: CPU relative to bare HAProxy`, ratios[keyType].toHaproxy[figure].median, 1.05))),
    verdict('largeResponseUs, ecdsa: CPU relative to the Go relay', ratios.ecdsa.toGoRelay.largeResponseUs.median, 0.9),
    ...(['handshakeUs', 'resumedHandshakeUs'] as const).map(figure =>
      verdict(`${figure}, ecdsa: CPU relative to the Go relay`, ratios.ecdsa.toGoRelay[figure].median, 0.9)),
    ...KEY_TYPES.map(keyType =>
      verdict(`memory of an idle connection, ${keyType}: relative to the Go relay`, ratios[keyType].toGoRelay.connectionKib, 0.8)),
    ...verdictsOfWays(ways, dataPath.ecdsa),
    verdict('anonymous memory of the idle pod, MiB', Math.max(...pods.map(pod => pod.idleKib)) / MIB, 48),
    verdict('anonymous memory of the pod with 300 connections, MiB', Math.max(...pods.map(pod => pod.with300Kib)) / MIB, 64),
    verdict('repair of a deleted EndpointSlice, p99 ms', controlPlane.repairMs.p99, 1000),
    verdict('start to ready, the slowest, ms', controlPlane.startToReadyMs.max, 2000),
  ];
}

/** The targets of the ways that leave TLS closed, and of everybody's latency. */
export function verdictsOfWays(ways: Ways, figures: PerContender<DataPathFigures>): Verdict[] {
  const p50 = (name: ContenderName) => figures[name]!.addedLatencyP50Us.median;
  return [
    ...ZERO_TOUCH.flatMap(({ name, handshake }) => [
      verdict(`handshakeUs, ${name}, all sides: CPU relative to the Go relay alone`, ways[name].handshakeToGoRelay.median, handshake),
      verdict(`memory of an idle connection, ${name}: relative to the tcp-proxy that opens TLS`, ways[name].connectionToTcpProxy, 0.2),
    ]),
    verdict('handshakeUs, tunnel, both sides: CPU relative to the tcp-proxy that opens TLS', ways.tunnel.handshakeToTcpProxy.median, 1),
    ...OURS.flatMap(name => [
      verdict(`addedLatencyP50Us, ${name}: relative to the Go relay`, p50(name) / p50('go-relay'), 1),
      ...TWO_PROXIES.includes(name) ? [verdict(`addedLatencyP50Us, ${name}: relative to the Go relay and the edge behind it`,
        p50(name) / (p50('go-relay') + p50('sni-edge')), 1)] : [],
      verdict(`addedLatencyP99Us, ${name}: relative to its addedLatencyP50Us`, figures[name]!.addedLatencyP99Us.median / p50(name), 2),
    ]),
  ];
}

function verdict(target: string, value: number, limit: number): Verdict {
  return { target, value: Math.round(value * 1000) / 1000, limit, met: value <= limit };
}
