import type { Protocol } from 'cdk8s-plus-30';
import {
  AddonImage, ComponentArgs, ComponentResources, ControlPlanePort, KonnectivityAgentMode, KonnectivityAgentProps, KonnectivityServerProps,
  KubeletAddressType, RegistrySettings, TenantControlPlaneProps,
} from './tenant-control-plane-props';
import { validateAnnotations } from '../../validation/annotations';
import { validateImageRepository, validateImageTag, validateRegistry } from '../../validation/image-reference';
import { invalidInput } from '../../validation/invalid-input';
import { validateLabelKey, validateLabels } from '../../validation/labels';
import { validateDns1123Label, validatePort } from '../../validation/name';
import { validateObjectName } from '../../validation/object-name';
import { validatePortName } from '../../validation/port-name';
import { Checks, flag, listOf, oneOf, optional, struct } from '../../validation/props';
import { validateToleration, validateTopologySpreadConstraint } from '../../validation/scheduling';
import { validateText } from '../../validation/text';
import { wholeNumber } from '../../validation/whole-number';
import { validateResources } from '../component-resources';

const arguments_ = optional(listOf(validateText));
const resources = optional(validateResources);

const ARGS: Checks<ComponentArgs> = { apiServer: arguments_, controllerManager: arguments_, scheduler: arguments_, kine: arguments_ };
const RESOURCES: Checks<ComponentResources> = { apiServer: resources, controllerManager: resources, scheduler: resources, kine: resources };
const ADDON: Checks<AddonImage> = { imageRepository: optional(validateRegistry), imageTag: optional(validateImageTag) };

const AGENT: Checks<KonnectivityAgentProps> = {
  image: optional(validateImageRepository),
  version: optional(validateImageTag),
  mode: optional(oneOf(KonnectivityAgentMode)),
  replicas: optional(wholeNumber('replicas', 0)),
  tolerations: optional(listOf(validateToleration)),
  hostNetwork: optional(flag),
  extraArgs: arguments_,
};

const SERVER: Checks<KonnectivityServerProps> = {
  port: optional(validatePort),
  image: optional(validateImageRepository),
  version: optional(validateImageTag),
  resources,
  extraArgs: arguments_,
};

const PORT: Checks<ControlPlanePort> = {
  name: validateDns1123Label,
  port: validatePort,
  targetPort: optional((field: string, port: number | string) => typeof port === 'number' ? validatePort(field, port) : validatePortName(field, port)),
  protocol: optional(oneOf<Protocol>(['TCP', 'UDP', 'SCTP'] as Protocol[])),
  appProtocol: optional(validateLabelKey),
};

/** Where images are pulled from. */
export const REGISTRY_SETTINGS: Checks<RegistrySettings> = {
  registry: optional(validateRegistry),
  apiServerImage: optional(validateImageRepository),
  controllerManagerImage: optional(validateImageRepository),
  schedulerImage: optional(validateImageRepository),
  tagSuffix: optional(validateTagSuffix),
};

/** What each property of a TenantControlPlane may be by itself. */
export const TENANT_CONTROL_PLANE: Checks<TenantControlPlaneProps> = {
  newestKubernetesVersion: optional(validateText),
  replicas: optional(wholeNumber('replicas', 0)),
  dataStore: optional(validateObjectName),
  dataStoreSchema: optional(validateDataStoreIdentifier),
  dataStoreUsername: optional(validateDataStoreIdentifier),
  apiPort: optional(validatePort),
  additionalPorts: optional(listOf(struct(PORT))),
  extraArgs: optional(struct(ARGS)),
  resources: optional(struct(RESOURCES)),
  nodeSelector: optional(validateLabels),
  tolerations: optional(listOf(validateToleration)),
  topologySpreadConstraints: optional(listOf(validateTopologySpreadConstraint)),
  podLabels: optional(validateLabels),
  podAnnotations: optional(validateAnnotations),
  kubeletAddressTypes: optional(listOf(oneOf(KubeletAddressType))),
  admissionControllers: optional(listOf(validateText)),
  coreDns: optional(struct(ADDON)),
  kubeProxy: optional(struct(ADDON)),
  konnectivityAgent: optional(struct(AGENT)),
  konnectivityServer: optional(struct(SERVER)),
  unhandledIngressClassName: optional(validateObjectName),
};

/** Behind a version such as v1.34.3, with which it makes a tag. */
function validateTagSuffix(field: string, suffix: string): void {
  validateText(field, suffix);
  if (!/^[A-Za-z0-9_.-]{0,64}$/.test(suffix)) {
    throw invalidInput(field, suffix, 'cannot stand at the end of a tag', 'Use up to 64 letters, digits, "_", "." and "-"');
  }
}

/** It is part of the keys of etcd, or a name in a database. */
function validateDataStoreIdentifier(field: string, name: string): void {
  validateText(field, name);
  if (!/^[A-Za-z0-9_-]{1,63}$/.test(name)) {
    throw invalidInput(field, name, 'cannot be the name of a schema or of a user in every kind of datastore', 'Use up to 63 letters, digits, "_" and "-"');
  }
}
