import {
  HypershiftApiPublishing, HypershiftAvailability, HypershiftHttpProxy, HypershiftManagementCluster, HypershiftNetworkType, HypershiftProps,
} from './hypershift-props';
import { validateUuid } from '../../model/cluster-id';
import { validateDnsName } from '../../validation/hostname';
import { validateImageReference } from '../../validation/image-reference';
import { invalidInput } from '../../validation/invalid-input';
import { validateIpAddress, validateNetwork } from '../../validation/ip-network';
import { validateJsonObject } from '../../validation/json-value';
import { validateLabels } from '../../validation/labels';
import { validatePort } from '../../validation/name';
import { validateObjectName } from '../../validation/object-name';
import { Checks, listOf, oneOf, optional, someOf, struct } from '../../validation/props';
import { validateQuantity } from '../../validation/quantity';
import { validateLine, validateText } from '../../validation/text';
import { validateHttpUrl } from '../../validation/url';

const PROXY: Checks<HypershiftHttpProxy> = {
  httpProxy: optional(validateHttpUrl),
  httpsProxy: optional(validateHttpUrl),
  noProxy: optional(validateLine),
};

/** `spec.release.image` has so many characters at most (HostedCluster, CRD). */
const LONGEST_IMAGE = 253;

function validateReleaseImage(field: string, image: string): void {
  if (validateImageReference(field, image).length > LONGEST_IMAGE) {
    throw invalidInput(field, image, `is longer than ${LONGEST_IMAGE} characters`, 'Give it a shorter tag, or its digest alone');
  }
}

/** What each property of a HostedCluster may be by itself. */
export const HYPERSHIFT: Checks<HypershiftProps> = {
  releaseImage: validateReleaseImage,
  pullSecretName: validateObjectName,
  sshKeyName: optional(validateObjectName),
  platform: optional(validateJsonObject),
  apiServerPublishing: optional(oneOf(HypershiftApiPublishing)),
  managementClusterType: optional(oneOf(HypershiftManagementCluster)),
  serviceNodePortRange: optional(validateText),
  clusterId: optional(validateUuid),
  baseDomain: optional(validateDnsName),
  availability: optional(oneOf(HypershiftAvailability)),
  networkType: optional(oneOf(HypershiftNetworkType)),
  machineCidrs: optional(someOf(validateNetwork)),
  etcdStorageSize: optional(validateQuantity),
  etcdStorageClassName: optional(validateObjectName),
  advertiseAddress: optional(validateIpAddress),
  apiServerPort: optional(validatePort),
  // The CRD lets 999.1.1.1/24 and 10.0.0.0/99 pass; one of them would stop HyperShift's router for every tenant.
  allowedCidrBlocks: optional(listOf(validateNetwork)),
  httpProxy: optional(struct(PROXY)),
  nodeSelector: optional(validateLabels),
};
