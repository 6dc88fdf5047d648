import { IConstruct } from 'constructs';
import { ApiServerCertificate, certificateArgs, SNI_CERTIFICATE_FLAG } from './api-server-certificates';
import { IApiServerSettings } from './control-plane-platform';
import { invalidInput } from '../validation/invalid-input';

const ARG = /^--?([A-Za-z][A-Za-z0-9-]*)(?:=[^]*)?$/;
const ENDPOINT_RECONCILER = 'endpoint-reconciler-type';

/** Flags that are not the user's to set, and what to do instead; a final `*` stands for every flag with the prefix. */
export type ManagedFlags = { readonly [flag: string]: string };

/**
 * Checks arguments of a component and returns them.
 *
 * Every argument must be one word: operators split them at the first `=` to merge them with their own.
 *
 * @param managed flags that are refused
 * @param why     why they are refused; continues the sentence that starts with the argument
 */
export function validateArgs(field: string, args: string[] = [], managed: ManagedFlags = {}, why = ''): string[] {
  args.forEach((arg, i) => {
    const name = flagName(arg);
    if (name === undefined) {
      throw invalidInput(`${field}[${i}]`, arg, 'is not a flag', 'Write each argument as one "--flag=value"');
    }
    const remedy = remedyFor(name, managed);
    if (remedy !== undefined) {
      throw invalidInput(`${field}[${i}]`, arg, why, remedy);
    }
  });
  return args;
}

/**
 * The arguments of kube-apiserver: the user's and those that this library sets.
 *
 * `--endpoint-reconciler-type=none` keeps the API server from writing `default/kubernetes`.
 */
export function apiServerArgs(settings: IApiServerSettings, userArgs: string[] = [], certificates: ApiServerCertificate[] = []): string[] {
  const args = settings.endpointsOwnedByTcpProxy
    ? [...userArgs.filter(arg => flagName(arg) !== ENDPOINT_RECONCILER), `--${ENDPOINT_RECONCILER}=none`]
    : userArgs;
  return [...args, ...certificateArgs(certificates)];
}

/** Refuses the user's own certificates beside those of entries: a flag that is handed on once would lose one of them. */
export function requireNoOwnCertificates(field: string, userArgs: string[] = []): void {
  const own = userArgs.find(arg => flagName(arg) === SNI_CERTIFICATE_FLAG);
  if (own !== undefined) {
    throw invalidInput(field, own, 'stands beside certificates of furtherEntries, which use the same flag', 'Give the host an entry with the certificate');
  }
}

/** The user's `--endpoint-reconciler-type`, where it would have the API server fight over `default/kubernetes`. */
export function contradictingEndpointReconciler(userArgs: string[] = []): string | undefined {
  return userArgs.find(arg => flagName(arg) === ENDPOINT_RECONCILER && !isNoReconciler(arg));
}

/**
 * Reports at synthesis when the user's arguments have both the API server and a tcp-proxy write `default/kubernetes`,
 * or neither. Only then is it known, as the tcp-proxy comes after its control plane.
 */
export function validateEndpointOwnership(scope: IConstruct, field: string, settings: IApiServerSettings, userArgs: string[] = []): void {
  const contradiction = contradictingEndpointReconciler(userArgs);
  const none = userArgs.find(isNoReconciler);
  scope.node.addValidation({
    validate: () => {
      if (settings.endpointsOwnedByTcpProxy && contradiction !== undefined) {
        return [invalidInput(field, contradiction, 'has the API server write default/kubernetes, which the tcp-proxy of this tenant owns',
          'Leave the flag out, or choose endpoints of the tcp-proxy that leave default/kubernetes to the API server').message];
      }
      if (!settings.endpointsOwnedByTcpProxy && settings.advertiseAddress !== undefined && none !== undefined) {
        return [invalidInput(field, none, 'keeps the API server from writing default/kubernetes, which the tcp-proxy of this tenant leaves to it ' +
          `(endpoints at the fixed address ${settings.advertiseAddress}), so that nobody does`,
        'Leave the flag out, or choose TcpProxyEndpoints.owned() or ownedAdvertiseAddress()').message];
      }
      return [];
    },
  });
}

function isNoReconciler(arg: string): boolean {
  return arg.replace(/^--?/, '') === `${ENDPOINT_RECONCILER}=none`;
}

function flagName(arg: string): string | undefined {
  return ARG.exec(arg)?.[1];
}

function remedyFor(name: string, managed: ManagedFlags): string | undefined {
  const key = Object.keys(managed).find(flag => flag.endsWith('*') ? name.startsWith(flag.slice(0, -1)) : name === flag);
  return key && managed[key];
}
