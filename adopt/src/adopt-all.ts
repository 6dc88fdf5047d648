import { adopt, Adoption } from './adopt';
import { Expression } from './code/expression';
import { Wishes } from './describe/description';
import { Modules } from './modules';
import { Left, tenantsAmong } from './tenants';
import { ConfigurationError } from '../../cli/configuration';
import { Source } from '../../src/manifests/source';

export interface Adoptions {
  readonly adoptions: Adoption[];
  readonly left: Left[];
}

/**
 * Describes every control plane among objects. One that cannot be described keeps no other from it.
 *
 * @throws ConfigurationError when there is none, too much, or one alone that cannot be described
 */
export function adoptAll(modules: Modules, dumped: Source[], wishes: Wishes, controller: Expression): Adoptions {
  const { known, left: unknown } = tenantsAmong(dumped);
  const adoptions: Adoption[] = [];
  const left: Left[] = [...unknown];
  for (const { source, describe } of known) {
    try {
      adoptions.push(adopt(modules, describe(wishes), controller));
    } catch (error) {
      if (!(error instanceof ConfigurationError) || known.length + unknown.length === 1) throw error;
      left.push({ source, reason: error.message });
    }
  }
  return { adoptions, left };
}
