import type { Logger } from 'pino';
import { isCurrent, isOurs, registrationSecret, Secret } from './registration-secret';
import { BUNDLE_VERSION, TenantRecord } from '../../../../src/agent/contract/bundle';
import { Registration } from '../../../../src/agent/contract/registrations';
import { KubernetesApi } from '../kubernetes/kubernetes-api';
import { KubernetesObject } from '../kubernetes/objects';
import { isNotFound } from '../sync/errors';
import { kubeconfigOf, parseKubeconfig } from '../sync/kubeconfig';

const FIELD_MANAGER = 'tenant-registration';
/** So many tenants are looked at side by side. */
const AT_ONCE = 8;
/** An owner may be large, and only its identity matters. */
const METADATA_ALONE = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

/** What came of one look at a tenant. */
export type Outcome = 'registered' | 'waiting' | 'failed';

/** Keeps the Secrets by which Argo CD or Flux reach tenants. It asks the management cluster alone. */
export class Registrar {
  /** What was last said of each, so that nothing is said twice. */
  private readonly said = new Map<string, string>();

  constructor(private readonly api: KubernetesApi, private readonly logger: Logger) {}

  /** Looks at each tenant once; one that fails keeps no other waiting. */
  async round(registrations: readonly Registration[]): Promise<Record<Outcome, number>> {
    const counts: Record<Outcome, number> = { registered: 0, waiting: 0, failed: 0 };
    const queue = registrations.values();
    const worker = async () => {
      for (const registration of queue) counts[await this.look(registration)]++;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const known = new Set(registrations.map(titleOf));
    for (const title of this.said.keys()) if (!known.has(title)) this.said.delete(title);
    return counts;
  }

  private async look(registration: Registration): Promise<Outcome> {
    try {
      const waitsFor = await this.keep(registration);
      this.say(registration, 'info', waitsFor ?? '', 'not registered yet');
      return waitsFor === undefined ? 'registered' : 'waiting';
    } catch (error) {
      this.say(registration, 'warn', (error as Error).message, 'not registered');
      return 'failed';
    }
  }

  /** @returns what it waits for; undefined when the Secret is as it should be */
  private async keep(registration: Registration): Promise<string | undefined> {
    const { tenant, kubeconfig, secret, owner } = registration;
    const path = secretPath(secret);
    const found = await this.find<Secret>(path);
    if (found && !isOurs(found)) throw new Error(`Secret ${secret.namespace}/${secret.name} is somebody else's; rename or delete it`);
    const held = await this.find<KubernetesObject>(
      `/apis/${owner.apiVersion}/namespaces/${secret.namespace}/${owner.resource}/${owner.name}`, METADATA_ALONE);
    if (!held) {
      if (found) await this.remove(path, found, registration);
      return `${owner.kind} ${secret.namespace}/${owner.name}`;
    }
    const source = await this.find<Secret>(secretPath({ namespace: tenant.namespace, name: kubeconfig.secretName }));
    if (!source) return `Secret ${tenant.namespace}/${kubeconfig.secretName}, which comes with the control plane`;
    const record: TenantRecord = { version: BUNDLE_VERSION, tenant, kubeconfig: { secretName: kubeconfig.secretName, keys: [...kubeconfig.keys] } };
    const access = parseKubeconfig(kubeconfigOf(source.data ?? {}, record));
    if (!access.apiServer.startsWith('https://')) throw new Error('kubeconfig: cluster.server does not begin with https://');
    const desired = registrationSecret(registration, access, held.metadata.uid!);
    if (found && isCurrent(found, desired)) return undefined;
    await this.api.apply(path, desired, FIELD_MANAGER);
    this.logger.info({ tenant: titleOf(registration), secret: `${secret.namespace}/${secret.name}` }, found ? 'the registration follows the kubeconfig' : 'registered');
    return undefined;
  }

  /** The one that was looked at, and no other that has taken its name meanwhile. */
  private async remove(path: string, { metadata: { uid, resourceVersion } }: Secret, registration: Registration): Promise<void> {
    await this.api.send('DELETE', path, { body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } } });
    this.logger.info({ tenant: titleOf(registration) }, `the registration is gone with its ${registration.owner.kind}`);
  }

  private async find<T>(path: string, accept?: string): Promise<T | undefined> {
    try {
      return await this.api.call<T>('GET', path, { accept });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  private say(registration: Registration, level: 'info' | 'warn', reason: string, text: string): void {
    const title = titleOf(registration);
    if (this.said.get(title) === reason) return;
    this.said.set(title, reason);
    if (reason !== '') this.logger[level]({ tenant: title, reason }, text);
  }
}

function secretPath({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `/api/v1/namespaces/${namespace}/secrets/${name}`;
}

function titleOf({ tenant: { namespace, name } }: Registration): string {
  return `${namespace}/${name}`;
}
