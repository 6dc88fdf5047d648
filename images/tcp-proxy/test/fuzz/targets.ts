import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { isDeepStrictEqual } from 'util';
import { Seeds } from './seeds';
import { ConfigurationError } from '../../../../cli/configuration';
import { readKubeconfig } from '../../../../doctor/src/live/kubeconfig';
import { checkManifests } from '../../../../doctor/src/manifests/check';
import { parseRefusedLine } from '../../../../src/agent/contract/haproxy-names';
import { mapLine, parseLine, ROUTING_TABLES } from '../../../../src/agent/contract/routing-tables';
import { CertificateError, parseBundle, parsePair } from '../../src/certificates/certificate-pair';
import { proxyPod } from '../../src/endpoints/proxy-pod';
import { parseLogLine } from '../../src/haproxy/log-lines';
import { parseBounded } from '../../src/kubernetes/bounded-json';
import { LIST } from '../../src/sync/answer-limits';
import { assemble, bundlePart } from '../../src/sync/bundle';
import { SyncError } from '../../src/sync/errors';
import { deserialized, serialized } from '../../src/sync/inventory';
import { parseKubeconfig } from '../../src/sync/kubeconfig';
import { parseObjects } from '../../src/sync/objects-yaml';
import { storedStatus } from '../../src/sync/status';

/** What must hold and did not. */
export class Broken extends Error {}

/** Something that takes texts of others. */
export interface Target {
  readonly corpus: readonly string[];
  /** How many of a hundred inputs are for it. */
  readonly share: number;
  /** Throws what is not one of `allowed` when something is broken. */
  readonly run: (input: string) => void;
  /** Errors that it is to throw. */
  readonly allowed: readonly (new (...args: never[]) => Error)[];
}

const SECRET = 'sEcReT';

function must(holds: boolean, what: string): void {
  if (!holds) throw new Broken(what);
}

function mapLines(input: string): void {
  for (const table of ROUTING_TABLES) {
    const parsed = parseLine(table, input);
    if (!parsed) continue;
    const [key, value] = parsed;
    must(mapLine(key, value) === input, 'a line is not what was read of it');
    must(/^[\x21-\x7e]+$/.test(key) && /^[\x21-\x7e]+$/.test(value), 'a key or value is not one word');
    must(!/[;#<"'\\]/.test(input), 'a line has what a command of HAProxy ends or begins with');
    must(input.length < 2_048, 'a line is longer than a command may be');
  }
}

function bundles(input: string): void {
  const { settings, fault } = bundlePart({ metadata: { name: 'a' }, data: { 'tenant.json': input } } as never);
  must((settings === undefined) !== (fault === undefined), 'neither settings nor a fault');
  storedStatus({ metadata: { name: 'a' }, data: { 'tenant.json': input, 'phase': input.slice(0, 10), 'bundle': input.slice(0, 300) } } as never);
  const part = { configMap: 'a', resourceVersion: '1', key: 'a', settings, fault };
  const { bundle } = assemble([part]);
  if (bundle) must(bundle.part === 1 && bundle.parts === 1, 'a bundle lacks parts');
}

function kubeconfigs(input: string): void {
  try {
    const { credentials, apiServer } = parseKubeconfig(input);
    must(typeof apiServer === 'string' && String(credentials.ca).includes('-----BEGIN '), 'no server or authority');
    must((credentials.token === undefined) !== (credentials.clientCertificate === undefined), 'not one identity');
    must(!/[\r\n]/.test(credentials.token ?? ''), 'a token of several lines');
  } catch (error) {
    must(!(error as Error).message.includes(SECRET) || !(error instanceof SyncError), `an error tells a secret: ${(error as Error).message}`);
    throw error;
  }
}

/** Bounded JSON is JSON: where it is no error, it means the same. */
function answers(input: string): void {
  let bounded: unknown;
  try {
    bounded = parseBounded<unknown>(input, LIST);
  } catch (error) {
    if (error instanceof SyntaxError || /^(is|has) /.test((error as Error).message)) return;
    throw error;
  }
  must(isDeepStrictEqual(bounded, JSON.parse(input)), 'bounded JSON means something else');
  const object = bounded as { metadata?: { name?: unknown } } | null;
  if (typeof object !== 'object' || typeof object?.metadata?.name !== 'string') return;
  const status = (object as { status?: unknown }).status;
  if (status === undefined || isPodStatus(status)) proxyPod(object as never);
}

/** A trusted API server has checked the types of a pod. */
function isPodStatus(status: unknown): boolean {
  const { conditions = [], hostIPs = [], hostIP = '' } = (status ?? {}) as { conditions?: unknown; hostIPs?: unknown; hostIP?: unknown };
  const objects = (list: unknown) => Array.isArray(list) && list.every(one => typeof one === 'object' && one !== null);
  return typeof status === 'object' && status !== null && typeof hostIP === 'string' && objects(conditions) && objects(hostIPs)
    && (hostIPs as { ip?: unknown }[]).every(({ ip }) => typeof ip === 'string');
}

function inventories(input: string): void {
  const entries = deserialized({ 'inventory.json': input });
  must(isDeepStrictEqual(deserialized(serialized(entries)), JSON.parse(JSON.stringify(entries))), 'an inventory is not what was written');
}

function certificates(input: string): void {
  const [certificate, key] = input.split('=====\n');
  try {
    parseBundle(certificate);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
  }
  parsePair(certificate, key ?? '');
}

function logs(input: string): void {
  must(['error', 'warn', 'info'].includes(parseLogLine(input).level), 'a line has no level');
  const refused = parseRefusedLine(input);
  if (refused) must(Object.values(refused.count).every(count => count >= 0), 'a count is no number');
}

const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));

function inFile(name: string, read: (path: string) => unknown) {
  const path = join(folder, name);
  return (input: string) => {
    writeFileSync(path, input);
    read(path);
  };
}

/** By name, as the folders of what is kept are called. */
export function targets(seeds: Seeds): Readonly<Record<string, Target>> {
  return {
    'map-lines': { corpus: seeds.mapLines, share: 35, run: mapLines, allowed: [] },
    'bundles': { corpus: seeds.bundles, share: 12, run: bundles, allowed: [SyncError] },
    'objects': { corpus: seeds.objects, share: 10, run: input => void parseObjects(input, 'ConfigMap a'), allowed: [SyncError] },
    'kubeconfigs': { corpus: seeds.kubeconfigs, share: 10, run: kubeconfigs, allowed: [SyncError] },
    'doctor-kubeconfigs': { corpus: seeds.kubeconfigs, share: 2, run: inFile('kubeconfig', readKubeconfig), allowed: [ConfigurationError] },
    'answers': { corpus: seeds.answers, share: 12, run: answers, allowed: [] },
    'inventories': { corpus: seeds.inventories, share: 8, run: inventories, allowed: [SyncError] },
    'certificates': { corpus: seeds.certificates, share: 4, run: certificates, allowed: [CertificateError] },
    'haproxy-logs': { corpus: seeds.logs, share: 5, run: logs, allowed: [] },
    'manifests': { corpus: seeds.manifests, share: 2, run: inFile('manifests.yaml', path => checkManifests([path])), allowed: [ConfigurationError] },
  };
}
