import { HypershiftApiPublishing, HypershiftProps } from './hypershift-props';
import { publishedRoutes, publishingOf } from './hypershift-services';
import { Exposure } from '../../model/exposure';
import { PassthroughRoute } from '../../model/exposure-props';
import { invalidInput } from '../../validation/invalid-input';
import { validateText } from '../../validation/text';

/** A range of node ports. */
interface Range {
  readonly first: number;
  readonly last: number;
}

const DEFAULT_RANGE = '30000-32767';

/** Checks the range of node ports and returns it. */
export function nodePortRange({ serviceNodePortRange = DEFAULT_RANGE }: HypershiftProps): Range {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(validateText('serviceNodePortRange', serviceNodePortRange));
  const [first, last] = match ? [Number(match[1]), Number(match[2])] : [0, 0];
  if (first < 1 || last > 65535 || first > last) {
    throw invalidInput('serviceNodePortRange', serviceNodePortRange, 'is not a range of ports', `Give it as first-last, e.g. "${DEFAULT_RANGE}"`);
  }
  return { first, last };
}

/** The routes that are published by node ports. */
export function nodePortRoutes(props: HypershiftProps, exposure: Exposure): PassthroughRoute[] {
  return publishedRoutes(exposure).filter(route => publishingOf(props, route) === HypershiftApiPublishing.NODE_PORT);
}

/** Checks that each of the routes has a node port of its own that the management cluster can give it. */
export function validateNodePorts(props: HypershiftProps, routes: PassthroughRoute[]): void {
  const { first, last } = nodePortRange(props);
  const holders = new Map<number, string>();
  for (const { name, port } of routes) {
    const field = `port of ${name}`;
    if (port < first || port > last) {
      throw invalidInput(field, port, `is not a node port: they are ${first} to ${last}, and the port on the shared address is that of the node port too`,
        `Give the tenant a port of its own, preferably from ${first} to ${lastStatic({ first, last })}` +
        (name === 'kube-apiserver' ? ', as "port"' : ', or 443, where it shares the port with others by its host'));
    }
    const other = holders.get(port);
    if (other !== undefined) {
      throw invalidInput(field, port, `is also that of ${other}, and a node port belongs to one Service`, 'Give each a port of its own');
    }
    holders.set(port, name);
  }
}

/** Whether Kubernetes could give the node port to a Service that asks for any. */
export function mayBeTaken(props: HypershiftProps, port: number): boolean {
  return port > lastStatic(nodePortRange(props));
}

/** Automatic allocation begins above this port (Kubernetes enhancement 3668). */
export function lastStatic({ first, last }: Range): number {
  const size = last - first + 1;
  return size < 16 ? first - 1 : first + Math.min(Math.max(16, Math.floor(size / 32)), 128) - 1;
}
