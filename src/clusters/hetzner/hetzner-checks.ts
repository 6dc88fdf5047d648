import type { HetznerAccess } from './hetzner-access';
import type { HetznerHostedClusterProps } from './hetzner-hosted-cluster';
import { HetznerNetworkZone, HetznerRegion } from './hetzner-region';
import { HetznerClusterSettings, HetznerPrivateNetwork, HetznerServers, HetznerTokenSecret, K0sNetworkProvider } from './hetzner-settings';
import type { HetznerWorkerPoolProps, WorkerFile, WorkerFileSource } from './worker-pool-props';
import { ClusterApiVersion } from '../../model/cluster-api-version';
import { TENANT_NETWORK } from '../../model/exposure-checks';
import { K0SMOTRON } from '../../platforms/k0smotron/k0smotron-checks';
import { validateDataKey } from '../../validation/data-key';
import { validateNetwork } from '../../validation/ip-network';
import { validateLabels } from '../../validation/labels';
import { validateDns1035Label, validateDns1123Label } from '../../validation/name';
import { validateObjectName } from '../../validation/object-name';
import { validateAbsolutePath } from '../../validation/path';
import { Checks, flag, instance, listOf, oneOf, optional, struct } from '../../validation/props';
import { validateLine, validateText } from '../../validation/text';
import { wholeNumber } from '../../validation/whole-number';

const TOKEN_SECRET: Checks<HetznerTokenSecret> = { name: optional(validateObjectName), key: optional(validateDataKey) };

const PRIVATE_NETWORK: Checks<HetznerPrivateNetwork> = {
  cidr: optional(validateNetwork),
  subnetCidr: optional(validateNetwork),
  zone: optional(oneOf(HetznerNetworkZone)),
};

/** What each property of a cluster on Hetzner may be by itself, whoever makes it. */
export const HETZNER_SETTINGS: Checks<HetznerClusterSettings> = {
  k0sVersion: validateText,
  access: instance<HetznerAccess>('Give one, e.g. HetznerAccess.loadBalancer()', '_mode'),
  region: oneOf(HetznerRegion),
  sshKeyNames: optional(listOf(validateLine)),
  tokenSecret: optional(struct(TOKEN_SECRET)),
  privateNetwork: optional(struct(PRIVATE_NETWORK)),
  networkProvider: optional(oneOf(K0sNetworkProvider)),
  network: optional(struct(TENANT_NETWORK)),
};

/** The servers of a pool. */
export const HETZNER_SERVERS: Checks<HetznerServers> = {
  replicas: optional(wholeNumber('workers', 0)),
  type: validateLine,
  image: optional(validateLine),
  placementGroup: optional(validateLine),
};

const SOURCE = optional(struct<WorkerFileSource>({ name: validateObjectName, key: validateDataKey }));

const FILE: Checks<WorkerFile> = {
  path: validateAbsolutePath,
  content: optional(validateText),
  secret: SOURCE,
  configMap: SOURCE,
  permissions: optional(validateText),
};

/** A pool of workers. */
export const HETZNER_WORKER_POOL: Checks<HetznerWorkerPoolProps> = {
  ...HETZNER_SERVERS,
  k0sVersion: optional(validateText),
  region: optional(oneOf(HetznerRegion)),
  sshKeyNames: optional(listOf(validateLine)),
  args: optional(listOf(validateText)),
  files: optional(listOf(struct(FILE))),
  preK0sCommands: optional(listOf(validateText)),
  postK0sCommands: optional(listOf(validateText)),
  publicIpv4: optional(flag),
  publicIpv6: optional(flag),
};

/** A cluster. */
export const HETZNER_HOSTED_CLUSTER: Checks<HetznerHostedClusterProps> = {
  ...HETZNER_SETTINGS,
  namespace: validateDns1123Label,
  name: optional(validateDns1035Label),
  workers: struct(HETZNER_WORKER_POOL, 'Give the pool, e.g. { type: "cx23", image: "ubuntu-24.04", replicas: 2 }'),
  controlPlane: optional(struct(K0SMOTRON)),
  managedByK0smotron: optional(flag),
  clusterApiVersion: optional(oneOf(ClusterApiVersion)),
  hetznerApiVersion: optional(oneOf(ClusterApiVersion)),
  labels: optional(validateLabels),
};
