import {
  K0smotronApiVersion, K0smotronCertificate, K0smotronClusterProps, K0smotronControlPlaneProps, K0smotronIngressProps, K0smotronManifests,
  K0smotronPatch, K0smotronPatchType, K0smotronProps, K0smotronServiceType,
} from './k0smotron-props';
import type { K0smotronPersistence, K0smotronStorage } from './k0smotron-storage';
import { validateAddressOrName } from '../../validation/address';
import { validateImageRepository } from '../../validation/image-reference';
import { invalidInput } from '../../validation/invalid-input';
import { validateJson, validateJsonObject } from '../../validation/json-value';
import { validateLabelValue } from '../../validation/labels';
import { validateDns1123Label, validatePort } from '../../validation/name';
import { validateObjectName } from '../../validation/object-name';
import { all, Checks, instance, listOf, oneOf, optional, struct } from '../../validation/props';
import { validateTopologySpreadConstraint } from '../../validation/scheduling';
import { validateLine, validateText } from '../../validation/text';
import { wholeNumber } from '../../validation/whole-number';
import { validateVouchedVersion } from '../../versions/version-facts';
import { validateResources } from '../component-resources';

function validatePatch(field: string, content: unknown): void {
  validateJson(field, content);
  if (typeof content !== 'object' || content === null) {
    throw invalidInput(field, content, content === undefined ? 'is not set' : 'is not a patch', 'Give a list for JSON, else an object');
  }
}

const PATCH: Checks<K0smotronPatch> = {
  kind: validateLine,
  component: all(validateLine, validateLabelValue),
  type: oneOf(K0smotronPatchType),
  content: validatePatch,
};

/** What each property of a control plane of k0smotron may be by itself. */
export const K0SMOTRON: Checks<K0smotronProps> = {
  newestKubernetesVersion: validateVouchedVersion,
  apiVersion: optional(oneOf(K0smotronApiVersion)),
  replicas: optional(wholeNumber('replicas', 1)),
  image: optional(validateImageRepository),
  serviceAccountName: optional(validateObjectName),
  apiPort: optional(validatePort),
  konnectivityPort: optional(validatePort),
  storage: optional(instance<K0smotronStorage>('Give one, e.g. K0smotronStorage.etcd()', '_settings')),
  persistence: optional(instance<K0smotronPersistence>('Give one, e.g. K0smotronPersistence.emptyDir()', '_type')),
  k0sConfig: optional(validateJsonObject),
  controlPlaneFlags: optional(listOf(validateText)),
  certificateRefs: optional(listOf(struct({ type: oneOf(K0smotronCertificate), secretName: validateObjectName }))),
  manifests: optional(listOf(struct<K0smotronManifests>({
    name: validateDns1123Label, configMapName: optional(validateObjectName), secretName: optional(validateObjectName),
  }))),
  resources: optional(validateResources),
  topologySpreadConstraints: optional(listOf(validateTopologySpreadConstraint)),
  patches: optional(listOf(struct(PATCH))),
};

const INGRESS: Checks<K0smotronIngressProps> = { ...K0SMOTRON, serviceType: optional(oneOf(K0smotronServiceType)) };

export const K0SMOTRON_CLUSTER: Checks<K0smotronClusterProps> = { ...INGRESS, externalAddress: optional(validateAddressOrName) };
export const K0SMOTRON_CONTROL_PLANE: Checks<K0smotronControlPlaneProps> = { ...INGRESS, controlPlaneName: optional(validateDns1123Label) };
