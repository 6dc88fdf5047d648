import { createRequire } from 'module';
import { join } from 'path';
import { Names } from './code/evaluate';
import { ConfigurationError } from '../../cli/configuration';
import type * as Library from '../../src';

/** What the written program imports, loaded here to see what it makes. */
export interface Modules {
  readonly library: typeof Library;
  readonly cdk8s: typeof import('cdk8s');
  /** Types of Kubernetes' own objects; they take long to load, and few programs need them. */
  readonly plus: () => typeof import('cdk8s-plus-30');
}

/** What the written program imports from `cdk8s-plus-30`. */
export const OF_PLUS = ['k8s', 'Protocol'];

/**
 * The library that this command is a part of, with the cdk8s that it uses.
 *
 * @throws ConfigurationError when they are not there
 */
export function installedModules(): Modules {
  // The command is bundled, the library beside it is not: an import would make a second one.
  const load = createRequire(__filename);
  const library = join(__dirname, '..', 'index.js');
  try {
    return { library: load(library), cdk8s: load('cdk8s'), plus: () => load('cdk8s-plus-30') };
  } catch (error) {
    throw new ConfigurationError(`the library cannot be loaded (${(error as Error).message.split('\n')[0]}): install it with npm install cdk8s-hosted-control-plane cdk8s cdk8s-plus-30 constructs`);
  }
}

/** What names of the written program stand for. */
export function namesOf({ library, plus }: Modules): Names {
  return name => (OF_PLUS.includes(name) ? plus() : library as any)[name];
}
