import { TcpProxyUpstreamConfig } from './haproxy-config';
import { TcpProxyPlacement } from './placement';
import type { TcpProxyAddonProps } from './tcp-proxy-addon-props';
import { validateImage } from '../agent/image';
import { validateDnsName } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { ipFamily } from '../validation/ip-network';
import { validatePort } from '../validation/name';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'];

/** Checks a port that a process without capabilities can listen on. */
export function unprivilegedPort(field: string, value: number): number {
  if (validatePort(field, value) < 1024) {
    throw invalidInput(field, value, 'is a privileged port, and the proxy runs without privileges', 'Give a port of 1024 or above');
  }
  return value;
}

/** Checks what would fail only when the pods start. */
export function validateTcpProxyProps(props: TcpProxyAddonProps, upstream: TcpProxyUpstreamConfig, placement: TcpProxyPlacement): void {
  if (props.maxConnections !== undefined && (!Number.isInteger(props.maxConnections) || props.maxConnections < 1)) {
    throw invalidInput('maxConnections', props.maxConnections, 'is not a number of connections', 'Give a whole number from 1, or leave it out');
  }
  if (props.threads !== undefined && (!Number.isInteger(props.threads) || props.threads < 1 || props.threads > 64)) {
    throw invalidInput('threads', props.threads, 'is not a number of threads', 'Give a whole number from 1 to 64, or leave it out');
  }
  validateLogLevel(props.logLevel);
  validateImage(props);
  validateWithoutEffect(props, upstream);
  if (placement._kind === 'static-pod' && props.imagePullSecrets) {
    throw invalidInput('imagePullSecrets', props.imagePullSecrets, 'cannot be used by a static pod, which may not refer to objects of the API',
      'Leave it out and give the container runtime of the nodes the credentials');
  }
  if (placement._nodeFolders && props.certificate) {
    throw invalidInput('certificate', props.certificate._title, 'cannot be used by a static pod, which may not refer to objects of the API',
      `Leave it out and put tls.crt and tls.key into ${placement._nodeFolders.configFolder}/tls of the nodes, or choose TcpProxyPlacement.everyNode()`);
  }
  props.hostAliases?.forEach((alias, i) => {
    if (!ipFamily(alias.ip)) {
      throw invalidInput(`hostAliases[${i}].ip`, alias.ip, 'is not an IP address', 'Give the address that the names resolve to');
    }
    if (alias.hostnames.length === 0) {
      throw invalidInput(`hostAliases[${i}].hostnames`, alias.hostnames, 'is empty', 'Give the names that resolve to the address');
    }
    alias.hostnames.forEach((name, j) => validateDnsName(`hostAliases[${i}].hostnames[${j}]`, name));
  });
}

function validateWithoutEffect(props: TcpProxyAddonProps, upstream: TcpProxyUpstreamConfig): void {
  if (upstream.mode === 'tls') {
    return;
  }
  for (const [field, value] of [['certificate', props.certificate?._title], ['http2', props.http2]] as const) {
    if (value !== undefined) {
      throw invalidInput(field, value, 'has no effect on an upstream whose TLS stays closed', 'Leave it out, or choose TcpProxyUpstream.sni()');
    }
  }
}

function validateLogLevel(level: string | undefined): void {
  if (level !== undefined && !LOG_LEVELS.includes(level)) {
    throw invalidInput('logLevel', level, 'is not one that there is', `Choose among ${LOG_LEVELS.join(', ')}`);
  }
}
