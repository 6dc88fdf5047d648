import { Bundle } from './bundle';
import type { SecretData } from './certificates';
import { attempt, isForbidden, SyncError } from './errors';
import { kubeconfigOf } from './kubeconfig';
import { secretNames, TenantRecord } from '../../../../src/agent/contract/bundle';

/** The Secret of a tenant's kubeconfig is gone, or no longer for us to read: there is no way to the tenant any more. */
export class NoAccessError extends SyncError {
  constructor(message: string) {
    super('kubeconfig', message);
  }
}

export interface Secret extends SecretData {
  readonly metadata?: { readonly resourceVersion?: string };
}

/** The Secrets beside one control plane. Each is read once, so that all who ask during a visit see the same. */
export class TenantSecrets {
  private readonly known = new Map<string, Promise<Secret | undefined>>();

  constructor(private readonly namespace: string, private readonly readSecret: (name: string) => Promise<Secret | undefined>) {}

  /** Undefined when there is none. */
  async get(name: string): Promise<Secret | undefined> {
    const secret = this.known.get(name) ?? this.readSecret(name);
    this.known.set(name, secret);
    return secret;
  }

  /**
   * The kubeconfig of the tenant, YAML.
   *
   * @throws NoAccessError when its Secret cannot be read, SyncError when it has none of the keys
   */
  async kubeconfig(record: TenantRecord): Promise<string> {
    const { secretName } = record.kubeconfig;
    const title = `Secret ${this.namespace}/${secretName}`;
    const secret = await this.get(secretName).catch((error: Error) => {
      if (isForbidden(error)) throw new NoAccessError(`${title} may not be read: ${error.message}`);
      throw new SyncError('management', `${title}: ${error.message}`);
    });
    if (!secret) throw new NoAccessError(`${title} does not exist; it comes with the control plane`);
    return kubeconfigOf(secret.data ?? {}, record);
  }

  /** Changes whenever a Secret that the bundle names does. */
  async versions({ kubeconfig, certificate }: Bundle): Promise<string> {
    const names = [kubeconfig.secretName, ...certificate ? secretNames(certificate) : []];
    const secrets = await attempt('management', 'Secrets', async () => Promise.all(names.map(async (name) => this.get(name))));
    return secrets.map((secret) => secret?.metadata?.resourceVersion ?? '').join();
  }
}
