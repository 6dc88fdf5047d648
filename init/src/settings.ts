import { ControllerChoice, controllersOf, CONTROLLERS, Choice, DeliveryChoice, deliveriesOf, DELIVERIES, LANGUAGES, PlatformChoice, PLATFORMS } from './choices';
import { ConfigurationError } from '../../cli/configuration';
import { HostnamePattern } from '../../src/model/hostname-pattern';
import { validateDnsName } from '../../src/validation/hostname';
import { InvalidInputError } from '../../src/validation/invalid-input';
import { validateDns1035Label, validateDns1123Label } from '../../src/validation/name';
import { validateObjectName } from '../../src/validation/object-name';
import { validateUrl } from '../../src/validation/url';

/** The answers, as they were typed. */
export interface Answers {
  readonly platform?: string;
  readonly controller?: string;
  readonly delivery?: string;
  readonly language?: string;
  readonly domain?: string;
  readonly tenant?: string;
  readonly namespace?: string;
  readonly gatewayClass?: string;
  readonly repoUrl?: string;
}

/** What the project is made of: nothing in it is impossible. */
export interface Settings {
  readonly platform: PlatformChoice;
  readonly controller: ControllerChoice;
  readonly delivery: DeliveryChoice;
  readonly language: string;
  readonly domain: string;
  readonly tenant: string;
  readonly namespace: string;
  /** Class of the Gateway, where the controller is one. */
  readonly gatewayClass?: string;
  /** Git repository that Argo CD reads, where that delivers. */
  readonly repoUrl?: string;
  /** Host of the tenant's API server. */
  readonly apiHost: string;
}

/** What is taken where nothing was said. */
export const DEFAULTS = { tenant: 'tenant-01', namespace: 'tenants' } as const;

/** The GatewayClass that a controller usually has. */
export function usualGatewayClass({ name }: ControllerChoice): string {
  return name === 'kgateway' ? 'kgateway' : 'eg';
}

/**
 * Checks the answers, and takes the first possible choice where none was made.
 *
 * @throws ConfigurationError with flag, value, reason and what is possible
 */
export function settingsOf(answers: Answers): Settings {
  const platform = platformOf(answers.platform);
  const controller = controllerOf(platform, answers.controller);
  const delivery = deliveryOf(platform, answers.delivery);
  const language = chosen('language', LANGUAGES, answers.language).name;
  if (answers.gatewayClass !== undefined && !controller.gateway) {
    throw new ConfigurationError(`--gateway-class is of a Gateway, which ${controller.title} has none of: leave it out, or choose ${listed(CONTROLLERS.filter(({ gateway }) => gateway))} as --controller`);
  }
  if (answers.repoUrl !== undefined && delivery.name !== 'argocd') {
    throw new ConfigurationError('--repo-url is what Argo CD reads: leave it out, or choose argocd as --delivery');
  }
  if (answers.repoUrl === undefined && delivery.name === 'argocd') {
    throw new ConfigurationError('--repo-url is missing: give the Git repository that Argo CD reads, like https://git.example.com/platform.git');
  }
  const tenant = checked(answers.tenant ?? DEFAULTS.tenant, validateTenant);
  const namespace = checked(answers.namespace ?? DEFAULTS.namespace, validateNamespace);
  const domain = checked(answers.domain ?? '', validateDomain);
  return {
    platform,
    controller,
    delivery,
    language,
    tenant,
    namespace,
    domain,
    gatewayClass: controller.gateway ? checked(answers.gatewayClass ?? usualGatewayClass(controller), validateGatewayClass) : undefined,
    repoUrl: answers.repoUrl === undefined ? undefined : checked(answers.repoUrl, validateRepoUrl),
    apiHost: checked(domain, () => hostOf(platform, { name: tenant, namespace, domain })),
  };
}

export function platformOf(name: string | undefined): PlatformChoice {
  return chosen('platform', PLATFORMS, name);
}

export function controllerOf(platform: PlatformChoice, name: string | undefined): ControllerChoice {
  const possible = controllersOf(platform);
  return possibleOnly('controller', chosen('controller', CONTROLLERS, name ?? possible[0].name), possible,
    `${platform.title} needs a port of the shared address for each tenant, which leads to another namespace`);
}

export function deliveryOf(platform: PlatformChoice, name: string | undefined): DeliveryChoice {
  const possible = deliveriesOf(platform);
  return possibleOnly('delivery', chosen('delivery', DELIVERIES, name ?? possible[0].name), possible,
    platform.tcpProxy ? `${platform.title} has no Cluster of Cluster API that a ClusterResourceSet could select` : `${platform.title} brings its own proxy, so nothing is taken to tenants`);
}

export const validateTenant = (value: string) => validateDns1035Label('--tenant', value);
export const validateNamespace = (value: string) => validateDns1123Label('--namespace', value);
export const validateGatewayClass = (value: string) => validateObjectName('--gateway-class', value);

/** With SSH, also as git and its hosts write it: `git@host:path`. */
export function validateRepoUrl(value: string): string {
  return /^[\w.-]+@[\w.-]+:[\w.~/-]+$/.test(value) ? value : validateUrl('--repo-url', value, 'https', 'http', 'ssh');
}

export function validateDomain(value: string): string {
  if (value === '') throw new ConfigurationError('--domain is missing: give the domain that the hosts of control planes end with, like example.com');
  return validateDnsName('--domain', value);
}

/** The value, or what is wrong with it as an error of the command line. */
export function checked(value: string, validate: (value: string) => string): string {
  try {
    return validate(value);
  } catch (error) {
    throw error instanceof InvalidInputError ? new ConfigurationError(error.message) : error;
  }
}

function hostOf({ namespaceInHosts }: PlatformChoice, of: { name: string; namespace: string; domain: string }): string {
  const pattern = namespaceInHosts ? HostnamePattern.kamaji() : HostnamePattern.steward();
  // The longest of those that there are.
  pattern.hostname({ ...of, service: 'konnectivity' });
  return pattern.hostname({ ...of, service: 'k8s' });
}

function chosen<T extends Choice>(flag: string, choices: readonly T[], name: string | undefined): T {
  const found = name === undefined ? choices[0] : choices.find(choice => choice.name === name);
  if (!found) throw new ConfigurationError(`--${flag} ${JSON.stringify(name)}: is not known, choose ${listed(choices)}`);
  return found;
}

function possibleOnly<T extends Choice>(flag: string, choice: T, possible: T[], reason: string): T {
  if (!possible.includes(choice)) throw new ConfigurationError(`--${flag} ${JSON.stringify(choice.name)}: ${reason}; choose ${listed(possible)}`);
  return choice;
}

function listed(choices: readonly Choice[]): string {
  const names = choices.map(({ name }) => name);
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`;
}
