import { Yaml } from 'cdk8s';
import { k0smotronClusterOf } from './cluster';
import { takeJoinToken } from './join-token-use';
import { A_CONTROL_PLANE } from '../../control-plane/control-plane-checks';
import { IHostedControlPlane } from '../../control-plane/hosted-control-plane';
import { TenantSide } from '../../control-plane/tenant-side';
import { K0sVersion } from '../../platforms/k0smotron/k0s-version';
import { k0smotronSecretNames } from '../../platforms/k0smotron/k0smotron-names';
import { invalidInput } from '../../validation/invalid-input';
import { validateDns1123Label } from '../../validation/name';
import { Checks, checkProps, listOf, optional } from '../../validation/props';
import { required } from '../../validation/required';
import { validateText } from '../../validation/text';
import { validateHttpUrl } from '../../validation/url';

/** Where the built-in tcp-proxy of k0smotron reads its certificates. */
const CERTS = '/etc/haproxy/certs';
/** Group and user of the official HAProxy image, which the built-in tcp-proxy runs. */
const HAPROXY_UID = 99;
const TOKEN_FILE = '/etc/k0s.token';

/** A worker of a k0smotron Cluster that no Cluster API provisions. */
export interface K0smotronWorkerBootstrapProps {
  /** The control plane, of the platform `k0smotron`. */
  readonly controlPlane: IHostedControlPlane;
  /** Version of k0s, e.g. `v1.34.3+k0s.0`; not newer than the control plane's. */
  readonly k0sVersion: string;
  /**
   * Secret beside the control plane with the join token under the key `token`, as a JoinTokenRequest makes it. One that
   * holds the token of another control plane is an error; one that nothing in the app makes is warned of.
   */
  readonly joinTokenSecretName: string;
  /**
   * Further arguments of `k0s install worker`.
   * @default - none
   */
  readonly args?: string[];
  /**
   * Script that installs the version of k0s in the variable `K0S_VERSION`.
   * @default https://get.k0s.sh
   */
  readonly downloadUrl?: string;
}

/** A file on a worker whose content is in a Secret of the management cluster. */
export interface K0smotronWorkerFile {
  /** Absolute path on the worker. */
  readonly path: string;
  /** Mode in octal digits, e.g. `0600`; the owner is root. */
  readonly mode: string;
  /** Secret in the namespace of the control plane. */
  readonly secretName: string;
  /** Key of the Secret. */
  readonly key: string;
  /** The variable that stands for the content, in base64, in `cloudInit`. */
  readonly variable: string;
}

const CHECKS: Checks<K0smotronWorkerBootstrapProps> = {
  controlPlane: A_CONTROL_PLANE,
  k0sVersion: validateText,
  joinTokenSecretName: validateDns1123Label,
  args: optional(listOf(validateText)),
  downloadUrl: optional(validateHttpUrl),
};

/**
 * What a worker needs to join a k0smotron Cluster behind a shared address. Under Cluster API k0smotron does all this
 * itself.
 *
 * Files and commands include the certificates of k0smotron's built-in tcp-proxy, unless a `TcpProxyAddon` replaces
 * it: read them after adding one. The private key is readable for the proxy's user alone.
 */
export class K0smotronWorkerBootstrap {
  private readonly k0sVersion: string;

  public constructor(private readonly props: K0smotronWorkerBootstrapProps) {
    checkProps('', required('props', props, 'Give controlPlane, k0sVersion and joinTokenSecretName'), CHECKS);
    const version = K0sVersion.parse('k0sVersion', props.k0sVersion);
    const cluster = k0smotronClusterOf(props.controlPlane);
    if (version.isNewerThan(cluster.k0sVersion)) {
      throw invalidInput('k0sVersion', version.toString(), `is newer than the control plane's, ${cluster.k0sVersion}`, 'Upgrade the control plane first');
    }
    this.k0sVersion = version.toString();
  }

  /**
   * The files to write, before the commands run.
   *
   * @throws when the Secret for the token is one of another control plane
   */
  public get files(): K0smotronWorkerFile[] {
    takeJoinToken(this.props.controlPlane, this.props.joinTokenSecretName);
    const { ca, ingressHaproxy } = k0smotronSecretNames(this.props.controlPlane.exposure.name);
    const token = { path: TOKEN_FILE, mode: '0600', secretName: this.props.joinTokenSecretName, key: 'token', variable: 'JOIN_TOKEN' };
    return this.hasBuiltInProxy ? [
      { path: `${CERTS}/ca.crt`, mode: '0644', secretName: ca, key: 'tls.crt', variable: 'CA_CRT' },
      { path: `${CERTS}/server.crt`, mode: '0644', secretName: ingressHaproxy, key: 'tls.crt', variable: 'SERVER_CRT' },
      { path: `${CERTS}/server.key`, mode: '0600', secretName: ingressHaproxy, key: 'tls.key', variable: 'SERVER_KEY' },
      token,
    ] : [token];
  }

  /**
   * The commands to run as root, in this order. The first ones end with an error, and say which Secret lacks what, where a
   * file is empty; cloud-init then runs none of the others.
   */
  public get commands(): string[] {
    const pem = `${CERTS}/server.pem`;
    const certificates = [
      `install -d -o root -g ${HAPROXY_UID} -m 0750 ${CERTS}`,
      // The file has its mode before it has a content.
      `install -o ${HAPROXY_UID} -g ${HAPROXY_UID} -m 0400 /dev/null ${pem}`,
      `cat ${CERTS}/server.crt ${CERTS}/server.key > ${pem}`,
    ];
    const args = ['--token-file', TOKEN_FILE, ...this.props.args ?? []].map(quoted).join(' ');
    return [
      ...this.files.map(file => this.requireContent(file)),
      ...this.hasBuiltInProxy ? certificates : [],
      `curl -sSLf ${quoted(this.props.downloadUrl ?? 'https://get.k0s.sh')} | K0S_VERSION=${this.k0sVersion} sh`,
      `k0s install worker ${args}`,
      'k0s start',
    ];
  }

  /**
   * User data for cloud-init. It holds no secrets: `${VARIABLE}` stands for the content of each file in base64, which
   * is how a Secret's `data` has it, for the tool that creates the machines; or see `renderScript`.
   */
  public get cloudInit(): string {
    const data = {
      write_files: this.files.map(({ path, mode, variable }) => ({
        path, owner: 'root:root', permissions: mode, encoding: 'b64', content: `\${${variable}}`,
      })),
      runcmd: this.commands,
    };
    return `#cloud-config\n${Yaml.stringify(data)}`;
  }

  /** A shell script that reads `cloudInit` from standard input, fills in the Secrets with kubectl and prints it. */
  public get renderScript(): string {
    const { namespace } = this.props.controlPlane.exposure;
    const reads = this.files.flatMap(({ variable, secretName, key }) => [
      `${variable}=$(kubectl --namespace ${namespace} get secret ${secretName} --output 'jsonpath={.data.${key.replace('.', '\\.')}}')`,
      // kubectl prints nothing for a key that is not there.
      `[ -n "$${variable}" ] || { echo 'The Secret ${namespace}/${secretName} has nothing under the key ${key}' >&2; exit 1; }`,
    ]);
    const substitutions = this.files.map(({ variable }) => `  -e "s|\\\${${variable}}|$${variable}|"`);
    return ['#!/bin/sh', 'set -eu', ...reads, `sed ${substitutions.join(' \\\n').trimStart()}`, ''].join('\n');
  }

  private requireContent({ path, secretName, key }: K0smotronWorkerFile): string {
    const secret = `${this.props.controlPlane.exposure.namespace}/${secretName}`;
    return `[ -s ${path} ] || { echo '${path} is empty: the Secret ${secret} had nothing under the key ${key}' >&2; exit 1; }`;
  }

  private get hasBuiltInProxy(): boolean {
    return !TenantSide.of(this.props.controlPlane.exposure)?.endpointsOwnedByTcpProxy;
  }
}

/** A word for the shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, '\'\\\'\'')}'`;
}
