import { isIP } from 'net';
import { Wishes } from './description';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { Expression, Fields, fieldsOf } from '../code/expression';

const HTTPS = 443;
const DNS_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** For what ends in a number, nobody asks DNS. */
const LIKE_AN_ADDRESS = /\.\d+$/;

/** A name at which a shared address can find a control plane. */
export function isRoutable(host: string | undefined): host is string {
  return host !== undefined && isIP(host) === 0 && DNS_NAME.test(host) && !LIKE_AN_ADDRESS.test(host);
}

/**
 * Hosts and ports as they are, or those that the library makes of a domain.
 *
 * @param domain that the object itself names
 */
export function hostProps(controlPlane: ControlPlane, wishes: Wishes, domain = wishes.domain): Fields {
  const { api, publicPort, konnectivity } = controlPlane;
  const port = publicPort === undefined || publicPort.value === HTTPS ? undefined : publicPort.value;
  const known = isRoutable(api?.host) ? api.host : undefined;
  const tunnel = known === undefined ? undefined : konnectivityHost(controlPlane, known);
  const agents = konnectivity.port?.value;
  return fieldsOf({
    hostname: known,
    domain: known === undefined || (konnectivity.enabled && tunnel === undefined) ? domain : undefined,
    port: known === undefined ? undefined : port,
    konnectivity: konnectivity.enabled
      ? fieldsOf({ hostname: tunnel, port: known === undefined || agents === (port ?? HTTPS) ? undefined : agents }) ?? {}
      : undefined,
  } satisfies { [name: string]: Expression | undefined }) ?? {};
}

/** Kamaji tells agents nothing, so the host may be written nowhere; the usual pattern has it beside that of the API. */
function konnectivityHost({ konnectivity }: ControlPlane, api: string): string | undefined {
  if (isRoutable(konnectivity.host?.host) && konnectivity.host.host !== api) return konnectivity.host.host;
  return api.includes('.k8s.') ? api.replace('.k8s.', '.konnectivity.') : undefined;
}
