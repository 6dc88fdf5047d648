import { readFileSync } from 'fs';
import { join } from 'path';
import * as cdk8s from 'cdk8s';
import * as plus from 'cdk8s-plus-30';
import { load } from 'js-yaml';
import * as library from '../../../src';
import { sourcesOf } from '../../../src/manifests/source';
import { Adoption } from '../../src/adopt';
import { adoptAll } from '../../src/adopt-all';
import { Call } from '../../src/code/expression';
import { Wishes } from '../../src/describe/description';
import { Modules } from '../../src/modules';

export const MODULES: Modules = { library, cdk8s, plus: () => plus };
export const CONTROLLER = new Call('IngressController.traefik');
export const WISHES: Wishes = { domain: 'example.com', tcpProxy: true, gateway: { namespace: 'gateways', name: 'control-planes' } };

export function dumpFile(name: string): string {
  return join(__dirname, '..', 'dumps', `${name}.yaml`);
}

export function dumped(name: string): any {
  return load(readFileSync(dumpFile(name), 'utf8'));
}

/** Objects as constructs. */
export function adopted(objects: unknown[], wishes: Wishes = WISHES, controller = CONTROLLER): Adoption[] {
  const sources = objects.flatMap(object => sourcesOf(object, 'dump.yaml', 1));
  const { adoptions, left } = adoptAll(MODULES, sources, wishes, controller);
  if (left.length > 0) throw new Error(left.map(({ reason }) => reason).join('\n'));
  return adoptions;
}
