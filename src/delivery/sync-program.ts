import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { DeliveredTenant } from './delivered-tenant';
import { defaultSyncResources, SYNC_DELIVERY_DEFAULTS, syncPod } from './sync-pod';
import { SyncDeliveryProps } from './sync-props';
import { addOwnRole, TenantSecretsRole } from './sync-rbac';
import { AgentWorkload } from '../agent/agent-workload';
import { MOST_CONCURRENCY } from '../agent/contract/commands';
import { HEALTH_PORT } from '../agent/contract/health';
import { networkPolicyManifest } from '../objects/kubernetes';
import { Claims } from '../synthesis/claims';
import { claimObject, claimObjects } from '../synthesis/object-claims';
import { validateDns1035Label, validateDns1123Label } from '../validation/name';
import { optional } from '../validation/props';
import { wholeNumber } from '../validation/whole-number';

/** A day; timers of Node.js run out at once when they are set to more than 24 days. */
const MAX_SECONDS = 86400;

/** One use of `sync`. */
export interface SyncUse {
  /** Name and namespace of its objects where its user says nothing else. */
  readonly defaults: { readonly name: string; readonly namespace: string };
  /** Whether it keeps certificates alone. */
  readonly certificatesOnly: boolean;
  /** What to do about two in one namespace. */
  readonly remedy: string;
}

/** `sync` in the management cluster: its pods and what they may do. */
export class SyncProgram {
  private readonly workload: AgentWorkload;

  public constructor(private readonly props: SyncDeliveryProps, private readonly use: SyncUse) {
    const name = validateDns1035Label('name', props.name ?? use.defaults.name);
    const namespace = validateDns1123Label('namespace', props.namespace ?? use.defaults.namespace);
    this.workload = new AgentWorkload(props, { command: 'sync', app: 'tenant-sync', name, namespace, defaults: { resources: defaultSyncResources() } });
    optional(wholeNumber('pods', 1, 1000))('replicas', props.replicas);
    optional(wholeNumber('seconds', 10, MAX_SECONDS))('resyncIntervalSeconds', props.resyncIntervalSeconds);
    optional(wholeNumber('tenants', 1, MOST_CONCURRENCY))('concurrency', props.concurrency);
    optional(wholeNumber('seconds', 1, MAX_SECONDS))('requestTimeoutSeconds', props.requestTimeoutSeconds);
  }

  public get namespace(): string {
    return this.workload.metadata.namespace;
  }

  /**
   * Emits it.
   *
   * @param holder the construct that the user made
   * @returns what lets it read the Secrets of one more tenant, and nothing else beside its control plane
   */
  public install(holder: Construct, managementCluster: string): (tenant: DeliveredTenant) => void {
    this.addObjects(new Construct(holder, 'sync'), holder);
    claimObjects(holder, managementCluster);
    Claims.of(holder).claim(`namespace of sync in cluster "${managementCluster}"`, this.namespace, holder, this.use.remedy, { inCluster: true });
    const roles = new Map<string, TenantSecretsRole>();
    return tenant => {
      const { namespace } = tenant.exposure;
      let role = roles.get(namespace);
      if (!role) {
        role = new TenantSecretsRole(new Construct(holder, `secrets-${namespace}`), this.workload, namespace);
        role.objects.forEach(object => claimObject(holder, object, managementCluster));
        roles.set(namespace, role);
      }
      role.add(tenant);
    };
  }

  private addObjects(scope: Construct, holder: Construct): void {
    const { props, use: { certificatesOnly }, workload } = this;
    const { metadata, selectorLabels } = workload;
    workload.warn(holder);
    if (props.createNamespace ?? true) {
      workload.addNamespace(scope);
    }
    workload.addServiceAccount(scope);
    addOwnRole(scope, workload);
    const pod = syncPod(workload, props, certificatesOnly);
    workload.addDeployment(scope, { replicas: props.replicas ?? SYNC_DELIVERY_DEFAULTS.replicas }, workload.podTemplate(pod));
    workload.addDisruptionBudget(scope);
    workload.addMonitoring(scope, 'metrics', HEALTH_PORT);
    if (props.networkPolicy) {
      new ApiObject(scope, 'network-policy', networkPolicyManifest({
        metadata,
        spec: {
          podSelector: { matchLabels: selectorLabels },
          policyTypes: ['Ingress'],
          ingress: [{ ports: [{ port: HEALTH_PORT, protocol: 'TCP' }] }],
        },
      }));
    }
  }
}
