import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Bundle } from './bundle';
import { claimKubeconfig } from './claim-kubeconfig';
import { AddTenant, DeliveryEngine, DeliveryScope } from './delivery-engine';
import { defaultSyncResources, SYNC_DELIVERY_DEFAULTS, syncPod } from './sync-pod';
import { SyncDeliveryProps } from './sync-props';
import { addOwnRole, TenantSecretsRole } from './sync-rbac';
import { tenantName } from './tenant-name';
import { warnOfNetworkPolicy } from './warn-of-network-policy';
import { AgentWorkload } from '../agent/agent-workload';
import { STATUS_SUFFIX } from '../agent/contract/bundle';
import { MOST_CONCURRENCY, SYNC_DEFAULTS } from '../agent/contract/commands';
import { HEALTH_PORT } from '../agent/contract/health';
import { namespaceManifest, networkPolicyManifest } from '../objects/kubernetes';
import { Claims } from '../synthesis/claims';
import { claimObject, claimObjectName, claimObjects } from '../synthesis/object-claims';
import { validateDns1035Label, validateDns1123Label } from '../validation/name';
import { optional } from '../validation/props';
import { required } from '../validation/required';
import { wholeNumber } from '../validation/whole-number';

/** A day; timers of Node.js run out at once when they are set to more than 24 days. */
const MAX_SECONDS = 86400;

/** `sync` of the image and the bundles that it delivers. */
export class SyncDelivery implements DeliveryEngine {
  public readonly type = 'sync';
  public readonly syncs = true;
  public readonly writesFiles = false;
  public readonly besideControlPlanes = true;
  private readonly workload: AgentWorkload;

  public constructor(private readonly props: SyncDeliveryProps) {
    required('props', props, 'Give {} for the defaults');
    const name = validateDns1035Label('name', props.name ?? SYNC_DEFAULTS.name);
    const namespace = validateDns1123Label('namespace', props.namespace ?? SYNC_DELIVERY_DEFAULTS.namespace);
    this.workload = new AgentWorkload(props, { app: 'tenant-sync', name, namespace, defaults: { resources: defaultSyncResources() } });
    optional(wholeNumber('pods', 1, 1000))('replicas', props.replicas);
    optional(wholeNumber('seconds', 10, MAX_SECONDS))('resyncIntervalSeconds', props.resyncIntervalSeconds);
    optional(wholeNumber('tenants', 1, MOST_CONCURRENCY))('concurrency', props.concurrency);
    optional(wholeNumber('seconds', 1, MAX_SECONDS))('requestTimeoutSeconds', props.requestTimeoutSeconds);
  }

  public start(scope: DeliveryScope): AddTenant {
    const { holder, managementCluster } = scope;
    this.addProgram(new Construct(holder, 'sync'), holder);
    claimObjects(holder, managementCluster);
    Claims.of(holder).claim(`namespace of sync in cluster "${managementCluster}"`, this.namespace, holder,
      'Two would deliver every tenant of the namespace: give each TenantCharts a namespace, or all tenants one TenantCharts', { inCluster: true });
    const roles = new Map<string, TenantSecretsRole>();
    return delivery => {
      const { tenant } = delivery;
      // First, as it throws where there is none that is known.
      claimKubeconfig(tenant);
      this.secretsRole(scope, roles, tenant.exposure.namespace).add(tenant);
      warnOfNetworkPolicy(delivery, this.namespace, 'sync');
      const bundle = new Bundle(scope, delivery, this.namespace);
      // Where sync keeps what it knows of the tenant.
      const status = `${tenantName(tenant.exposure)}${STATUS_SUFFIX}`;
      claimObjectName(tenant.managementScope, { kind: 'ConfigMap', group: '', namespace: this.namespace, name: status }, managementCluster);
      return () => bundle.prepare();
    };
  }

  private secretsRole({ holder, managementCluster }: DeliveryScope, roles: Map<string, TenantSecretsRole>, namespace: string): TenantSecretsRole {
    let role = roles.get(namespace);
    if (!role) {
      role = new TenantSecretsRole(new Construct(holder, `secrets-${namespace}`), this.workload, namespace);
      role.objects.forEach(object => claimObject(holder, object, managementCluster));
      roles.set(namespace, role);
    }
    return role;
  }

  private get namespace(): string {
    return this.workload.metadata.namespace;
  }

  private addProgram(scope: Construct, holder: Construct): void {
    const { props, workload } = this;
    const { metadata, selectorLabels } = workload;
    workload.warn(holder);
    if (props.createNamespace ?? true) {
      new ApiObject(scope, 'namespace', namespaceManifest({
        metadata: { name: metadata.namespace, labels: { ...metadata.labels, 'pod-security.kubernetes.io/enforce': 'restricted' } },
      }));
    }
    workload.addServiceAccount(scope);
    addOwnRole(scope, workload);
    workload.addDeployment(scope, { replicas: props.replicas ?? SYNC_DELIVERY_DEFAULTS.replicas }, workload.podTemplate(syncPod(workload, props)));
    workload.addDisruptionBudget(scope);
    workload.addMetricsService(scope, 'metrics', HEALTH_PORT);
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
