import { pickRecord } from './fields';
import { Source } from './source';

const NAME = 'app.kubernetes.io/name';
const INSTANCE = 'app.kubernetes.io/instance';
const HOSTED_CONTROL_PLANE = 'hosted-control-plane';

/** The labels of every object that is made for a control plane in the management cluster. */
export function controlPlaneLabels(name: string): { [label: string]: string } {
  return { [NAME]: HOSTED_CONTROL_PLANE, [INSTANCE]: name };
}

/** Name of the control plane that an object is made for, as its labels say. */
export function labelledControlPlane(source: Source): string | undefined {
  const labels = pickRecord(source.object, 'metadata.labels');
  const instance = labels[INSTANCE];
  return labels[NAME] === HOSTED_CONTROL_PLANE && typeof instance === 'string' ? instance : undefined;
}
