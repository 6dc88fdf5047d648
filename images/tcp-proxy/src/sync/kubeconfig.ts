import { load } from 'js-yaml';
import { SyncError } from './errors';
import { TenantRecord } from '../../../../src/agent/contract/bundle';
import { Credentials } from '../kubernetes/credentials';

/** A tenant's API server, and how to be let in. */
export interface TenantAccess {
  /** `https://host[:port]` */
  readonly apiServer: string;
  /** SNI and the name in the certificate, when it is not the host. */
  readonly serverName?: string;
  readonly credentials: Credentials;
}

/** With certificates and keys, a kubeconfig has 6 to 20 KiB. */
const LONGEST_KUBECONFIG = 256 * 2 ** 10;

type Fields = Readonly<Record<string, unknown>>;

/** Settings that make this program run programs, read its own files, or talk to somebody else; and what to write instead. */
const REFUSED_CLUSTER_FIELDS: Readonly<Record<string, string>> = {
  'insecure-skip-tls-verify': 'would trust anybody; give certificate-authority-data',
  'certificate-authority': 'names a file, which is not in the Secret; give certificate-authority-data',
  'proxy-url': 'is not supported; give a server that is reachable from the management cluster',
};
const REFUSED_USER_FIELDS: Readonly<Record<string, string>> = {
  'exec': 'would run a program; give client-certificate-data and client-key-data, or token',
  'auth-provider': 'is not supported; give client-certificate-data and client-key-data, or token',
  'client-certificate': 'names a file, which is not in the Secret; give client-certificate-data',
  'client-key': 'names a file, which is not in the Secret; give client-key-data',
  'tokenFile': 'names a file, which is not in the Secret; give token',
  'username': 'is not supported by Kubernetes any more; give client-certificate-data and client-key-data, or token',
};

/** The value of the first key that is there. */
export function kubeconfigOf(data: Readonly<Record<string, string>>, { tenant, kubeconfig }: TenantRecord): string {
  const { secretName, keys } = kubeconfig;
  const key = keys.find((candidate) => Object.keys(data).includes(candidate));
  if (key === undefined) {
    const found = Object.keys(data).sort().join(', ') || 'none';
    throw new SyncError('kubeconfig', `Secret ${tenant.namespace}/${secretName} has none of the keys ${keys.join(', ')} (it has: ${found}); name the right key in the bundle`);
  }
  const yaml = Buffer.from(data[key], 'base64').toString('utf8');
  if (yaml.length > LONGEST_KUBECONFIG) throw fault('kubeconfig', `is longer than ${LONGEST_KUBECONFIG} bytes; take out what is not needed to reach this tenant`);
  return yaml;
}

/**
 * Reads a kubeconfig that stands for itself: the current context, with the authority, and a client certificate or token.
 *
 * @throws SyncError with field, reason and remedy; never with a value, which may be secret
 */
export function parseKubeconfig(yaml: string): TenantAccess {
  const config = fieldsOf(parsed(yaml), 'kubeconfig');
  const context = entry(config, 'contexts', 'context', text(config, 'current-context', 'current-context'));
  const cluster = entry(config, 'clusters', 'cluster', text(context, 'cluster', 'context.cluster'));
  const user = entry(config, 'users', 'user', text(context, 'user', 'context.user'));
  refuse(cluster, 'cluster', REFUSED_CLUSTER_FIELDS);
  refuse(user, 'user', REFUSED_USER_FIELDS);
  const serverName = optionalText(cluster, 'tls-server-name', 'cluster.tls-server-name');
  return {
    apiServer: text(cluster, 'server', 'cluster.server'),
    ...serverName === undefined ? {} : { serverName },
    credentials: { ca: base64(cluster, 'certificate-authority-data', 'cluster'), ...identity(user) },
  };
}

function identity(user: Fields): Omit<Credentials, 'ca'> {
  if (isSet(user['client-certificate-data']) || isSet(user['client-key-data'])) {
    return {
      clientCertificate: { certificate: base64(user, 'client-certificate-data', 'user'), key: base64(user, 'client-key-data', 'user') },
    };
  }
  const token = optionalText(user, 'token', 'user.token');
  if (token === undefined) throw fault('user', 'has no credentials; give client-certificate-data and client-key-data, or token');
  if (!/^[\x21-\x7e]+$/.test(token)) throw fault('user.token', 'has characters that no token has; give it in one line');
  return { token };
}

function parsed(yaml: string): unknown {
  try {
    return load(yaml);
  } catch (error) {
    // The message quotes the text.
    throw fault('kubeconfig', `is not YAML (${(error as { reason?: string }).reason ?? 'unreadable'}); write the file that kubectl uses`);
  }
}

function entry(config: Fields, list: string, kind: string, name: string): Fields {
  const entries = config[list];
  const found = Array.isArray(entries) ? entries.find((candidate) => candidate?.name === name) : undefined;
  if (!found) throw fault(list, `has no entry '${name}'; add it, or name another in current-context`);
  return fieldsOf(found[kind], `${list}.${name}.${kind}`);
}

function refuse(fields: Fields, name: string, refused: Readonly<Record<string, string>>): void {
  for (const [field, reason] of Object.entries(refused)) {
    if (isSet(fields[field])) throw fault(`${name}.${field}`, reason);
  }
}

/** kubectl writes empty and false values for what is not set. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false;
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fault(name, 'is not a mapping; write the file that kubectl uses');
  return value as Fields;
}

function text(fields: Fields, field: string, name: string): string {
  const value = optionalText(fields, field, name);
  if (value === undefined) throw fault(name, 'is missing; write the file that kubectl uses');
  return value;
}

function optionalText(fields: Fields, field: string, name: string): string | undefined {
  const value = fields[field];
  if (!isSet(value)) return undefined;
  if (typeof value !== 'string') throw fault(name, 'is not a text; put it in quotes');
  return value;
}

/** PEM from base64. */
function base64(fields: Fields, field: string, name: string): string {
  const pem = Buffer.from(text(fields, field, `${name}.${field}`), 'base64').toString('utf8');
  if (!pem.includes('-----BEGIN ')) throw fault(`${name}.${field}`, 'is not PEM in base64; encode the whole file');
  return pem;
}

function fault(field: string, reason: string): SyncError {
  return new SyncError('kubeconfig', `kubeconfig: ${field} ${reason}`);
}
