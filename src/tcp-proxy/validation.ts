import { TcpProxyUpstreamConfig } from './haproxy-config';
import { TcpProxyPlacement } from './placement';
import type { TcpProxyAddonProps } from './tcp-proxy-addon-props';
import { PROXY_CHECKS, ProxyProps } from '../haproxy/proxy-settings';
import type { Exposure } from '../model/exposure';
import { invalidInput } from '../validation/invalid-input';
import { validatePort } from '../validation/name';
import { checkProps, optional } from '../validation/props';

/** Checks what would fail only when the pods start, one property at a time. */
export function validateTcpProxyProps(props: TcpProxyAddonProps): void {
  checkProps<ProxyProps>('', props, PROXY_CHECKS);
  optional(unprivilegedPort)('listenPort', props.listenPort);
  optional(unprivilegedPort)('healthPort', props.healthPort);
}

/** Refuses a proxy where pods have a better way. */
export function requireProxyPath({ kubernetesEndpoint, kubernetesService, namespace, name }: Exposure): void {
  if (kubernetesEndpoint) {
    throw invalidInput('controlPlane', `${namespace}/${name}`, `leads pods to port ${kubernetesEndpoint.port} of ${kubernetesEndpoint.addresses.join(' and ')}, where client ` +
      'certificates work and no TLS is opened; a proxy would only fight over default/kubernetes',
    'Leave the TcpProxyAddon out and put KubernetesServiceEndpoints into the chart, or set kubernetesService of the control plane to KubernetesServicePath.tcpProxy()');
  }
  if (kubernetesService._kind !== 'tcp-proxy') {
    const said = kubernetesService._kind === 'none' ? `that no pod uses the API (${kubernetesService._reason})` : 'that KubernetesServiceHostInjection leads pods to the API';
    throw invalidInput('controlPlane', `${namespace}/${name}`, `says in kubernetesService ${said}, so that a proxy has nobody to serve`,
      'Leave the TcpProxyAddon out, or set kubernetesService to KubernetesServicePath.tcpProxy()');
  }
}

/** A static pod may not refer to objects of the API. */
export function validateForPlacement(props: TcpProxyAddonProps, placement: TcpProxyPlacement): void {
  const reason = 'cannot be used by a static pod, which may not refer to objects of the API';
  if (placement._kind === 'static-pod' && props.imagePullSecrets) {
    throw invalidInput('imagePullSecrets', props.imagePullSecrets, reason, 'Leave it out and give the container runtime of the nodes the credentials');
  }
  if (placement._nodeFolders && props.upstream?._tunnel?.certificate) {
    throw invalidInput('upstream.certificate', 'of the tunnel', reason,
      `Leave it out and put tls.crt, tls.key and ca.crt into ${placement._nodeFolders.configFolder}/tunnel of the nodes, or choose TcpProxyPlacement.everyNode()`);
  }
  if (placement._nodeFolders && props.certificate) {
    throw invalidInput('certificate', props.certificate._title, reason,
      `Leave it out and put tls.crt and tls.key into ${placement._nodeFolders.configFolder}/tls of the nodes, or choose TcpProxyPlacement.everyNode()`);
  }
}

/** Refuses what only a proxy that opens TLS needs. */
export function validateWithoutEffect(props: TcpProxyAddonProps, upstream: TcpProxyUpstreamConfig): void {
  if (upstream.mode === 'tls') {
    return;
  }
  for (const [field, value] of [['certificate', props.certificate?._title], ['http2', props.http2]] as const) {
    if (value !== undefined) {
      throw invalidInput(field, value, 'has no effect on an upstream whose TLS stays closed', 'Leave it out, or choose TcpProxyUpstream.sni()');
    }
  }
}

/** A process without capabilities can listen on no other. */
function unprivilegedPort(field: string, value: number): void {
  if (validatePort(field, value) < 1024) {
    throw invalidInput(field, value, 'is a privileged port, and the proxy runs without privileges', 'Give a port of 1024 or above');
  }
}
