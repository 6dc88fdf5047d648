import { SynthesizedPlatform } from '../../src';

/**
 * The SNI hosts of all routes of manifests, whoever makes them: a host that two routes have is there twice.
 *
 * @param unserved hosts whose routes by an operator nobody serves
 */
export function routedHosts(manifests: any[], unserved: string[] = []): string[] {
  const routes = SynthesizedPlatform.ofManifests(manifests).routes()
    .filter(({ byOperator, hostname }) => !byOperator || !unserved.includes(hostname));
  return [...routes.map(({ hostname }) => hostname), ...manifests.flatMap(plainHosts)];
}

/** Of the controller in plain.ts, whose routes nobody else can read. */
function plainHosts({ kind, data }: any): string[] {
  return kind === 'ConfigMap' && data.host ? [data.host] : [];
}

/** The ports of the shared address that a manifest leads to one tenant each: those of a SharedIngressGateway. */
export function routePorts({ kind, data }: any): number[] {
  return kind === 'ConfigMap' ? [...(data['ports.map'] ?? '').matchAll(/^(\d+) /gm)].map(match => Number(match[1])) : [];
}
