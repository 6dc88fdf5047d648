import { lookup, Resolver } from 'dns/promises';
import { isIP } from 'net';
import { written } from './deadline';
import { Target } from './target';

/** More are not dialled: a hostile zone may list thousands. */
const MAX_ADDRESSES = 8;

/** Addresses of a host, IPv4 first. Empty when the name does not exist or has no address. */
export async function resolve(host: string, target: Pick<Target, 'resolver' | 'timeoutMs'>): Promise<string[]> {
  if (isIP(host)) return [host];
  const addresses = target.resolver === undefined
    ? await withDeadline(systemLookup(host), target.timeoutMs)
    : await withDeadline(ask(host, target.resolver, target.timeoutMs), target.timeoutMs);
  return [...new Set(addresses)].sort((a, b) => isIP(a) - isIP(b) || (a < b ? -1 : 1)).slice(0, MAX_ADDRESSES);
}

async function systemLookup(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    return nothingFor(error);
  }
}

async function ask(host: string, server: string, timeout: number): Promise<string[]> {
  const resolver = new Resolver({ timeout, tries: 1 });
  resolver.setServers([server]);
  const answer = (error: NodeJS.ErrnoException) => {
    if (error.code === 'ETIMEOUT') throw lateAnswer(timeout);
    return nothingFor(error);
  };
  const [v4, v6] = await Promise.all([resolver.resolve4(host).catch(answer), resolver.resolve6(host).catch(answer)]);
  return [...v4, ...v6];
}

/** "No such name" and "no such record" are answers; everything else is a failure of DNS. */
function nothingFor(error: unknown): string[] {
  if (['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
  throw error;
}

async function withDeadline<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateAnswer(timeoutMs)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function lateAnswer(timeoutMs: number): Error {
  return new Error(`no answer within ${written(timeoutMs)}`);
}
