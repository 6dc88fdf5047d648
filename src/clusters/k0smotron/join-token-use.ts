import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { IHostedControlPlane } from '../../control-plane/hosted-control-plane';
import { Warnings } from '../../synthesis/warnings';
import { invalidInput } from '../../validation/invalid-input';

/** The control planes whose join tokens are read from a Secret, by cluster, namespace and name, in each app. */
const readers = new WeakMap<IConstruct, Map<string, IHostedControlPlane>>();

/**
 * Records that workers of a control plane join with the token in a Secret, and checks that it can be their token. What
 * workers need may be read after the synthesis, so that nothing can be left to that.
 */
export function takeJoinToken(controlPlane: IHostedControlPlane, secretName: string): void {
  const { root } = controlPlane.node;
  const { name, namespace } = controlPlane.exposure;
  const secrets = readers.get(root) ?? new Map<string, IHostedControlPlane>();
  readers.set(root, secrets);

  const secret = `${controlPlane.managementCluster}/${namespace}/${secretName}`;
  const reader = secrets.get(secret) ?? controlPlane;
  const requested = makersOf(secretName, controlPlane).find(({ kind }) => kind === 'JoinTokenRequest')?.toJson().spec;
  const owner = requested?.clusterName ?? requested?.clusterRef?.name ?? (reader === controlPlane ? name : reader.exposure.name);
  if (owner !== name) {
    throw invalidInput('joinTokenSecretName', secretName, `holds the token of the control plane "${owner}", with which no worker of "${name}" can join`,
      'Make a K0smotronJoinToken for each control plane and give its secretName');
  }
  secrets.set(secret, controlPlane);
  if (makersOf(secretName, controlPlane).length === 0) {
    Warnings._add(controlPlane, `joinTokenSecretName: nothing in the app makes the Secret "${secretName}" in ${namespace}. ` +
      'Make a K0smotronJoinToken and give its secretName, unless something else makes the Secret.');
  }
}

/** What makes the Secret: itself, a JoinTokenRequest, or what operators of secrets read, e.g. an ExternalSecret. */
function makersOf(secretName: string, controlPlane: IHostedControlPlane): ApiObject[] {
  return controlPlane.node.root.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct)
    && construct.name === secretName && construct.metadata.namespace === controlPlane.exposure.namespace
    && /^JoinTokenRequest$|Secret$/.test(construct.kind));
}
