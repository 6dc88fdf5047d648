import { ApiObject } from 'cdk8s';
import { Exposure } from '../model/exposure';
import { RequiredObject } from '../model/required-object';

/** What can say what a control plane needs: its platform, and its ingress controller. */
interface Requiring {
  prerequisites(exposure: Exposure): RequiredObject[];
}

/** What platform and controller require for a control plane, and the custom resource for which they do. */
export interface Required {
  readonly object: ApiObject;
  readonly required: RequiredObject[];
}

/** Records who can say what a control plane needs. */
export function recordRequired(exposure: Exposure, object: ApiObject, requiring: Requiring[]): void {
  recorded.set(exposure, { object, requiring });
}

/** What its platform and its controller require for a control plane; undefined for one that is made elsewhere. */
export function requiredFor(exposure: Exposure): Required | undefined {
  const known = recorded.get(exposure);
  return known && { object: known.object, required: known.requiring.flatMap(each => each.prerequisites(exposure)) };
}

const recorded = new WeakMap<Exposure, { readonly object: ApiObject; readonly requiring: Requiring[] }>();
