import { ApiObject } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { Bundle } from './bundle';
import { claimKubeconfig } from './claim-kubeconfig';
import { AddTenant, DeliveryEngine, DeliveryScope, DeliveryTenant } from './delivery-engine';
import { HEALTH_PORT, syncPodSpec } from './sync-pod';
import { SyncDeliveryProps } from './sync-props';
import { addOwnRole, SyncIdentity, TenantSecretsRole } from './sync-rbac';
import { tenantName } from './tenant-name';
import { DEFAULT_TCP_PROXY_IMAGE, validateImage, warnOfFloatingImage } from '../agent/image';
import { Claims } from '../synthesis/claims';
import { claimObject, claimObjectName, claimObjects } from '../synthesis/object-claims';
import { Warnings } from '../synthesis/warnings';
import { invalidInput } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1035Label, validateDns1123Label } from '../validation/name';
import { required } from '../validation/required';

/** The image takes no more. */
const MAX_CONCURRENCY = 1000;
/** A day; timers of Node.js run out at once when they are set to more than 24 days. */
const MAX_SECONDS = 86400;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** `sync` of the image and the bundles that it delivers. */
export class SyncDelivery implements DeliveryEngine {
  public readonly type = 'sync';
  public readonly syncs = true;
  public readonly writesFiles = false;
  public readonly besideControlPlanes = true;
  private readonly identity: SyncIdentity;
  private readonly selectorLabels: { [name: string]: string };

  public constructor(private readonly props: SyncDeliveryProps) {
    required('props', props, 'Give {} for the defaults');
    const name = validateDns1035Label('name', props.name ?? 'tenant-sync');
    const namespace = validateDns1123Label('namespace', props.namespace ?? 'tenant-sync');
    this.selectorLabels = { 'app.kubernetes.io/name': 'tenant-sync', 'app.kubernetes.io/instance': name };
    this.identity = { name, namespace, labels: { ...validateLabels('labels', props.labels ?? {}), ...this.selectorLabels } };
    validateLabels('podLabels', props.podLabels ?? {});
    requireWhole('replicas', props.replicas, 1, 1000);
    validateImage(props);
    requireWhole('resyncIntervalSeconds', props.resyncIntervalSeconds, 10, MAX_SECONDS);
    requireWhole('concurrency', props.concurrency, 1, MAX_CONCURRENCY);
    requireWhole('requestTimeoutSeconds', props.requestTimeoutSeconds, 1, MAX_SECONDS);
    if (props.logLevel !== undefined && !LOG_LEVELS.includes(props.logLevel)) {
      throw invalidInput('logLevel', props.logLevel, 'is not a level', `Choose among ${LOG_LEVELS.join(', ')}`);
    }
  }

  public start(scope: DeliveryScope): AddTenant {
    const { holder, managementCluster } = scope;
    this.addProgram(new Construct(holder, 'sync'), holder);
    claimObjects(holder, managementCluster);
    Claims.of(holder).claim(`namespace of sync in cluster "${managementCluster}"`, this.identity.namespace, holder,
      'Two would deliver every tenant of the namespace: give each TenantCharts a namespace, or all tenants one TenantCharts', { inCluster: true });
    const roles = new Map<string, TenantSecretsRole>();
    return delivery => {
      const { tenant } = delivery;
      // First, as it throws where there is none that is known.
      claimKubeconfig(tenant);
      this.secretsRole(scope, roles, tenant.exposure.namespace).add(tenant);
      warnOfNetworkPolicy(delivery, this.identity.namespace);
      const bundle = new Bundle(scope, delivery, this.identity.namespace);
      // Where sync keeps what it knows of the tenant.
      const status = `${tenantName(tenant.exposure)}-status`;
      claimObjectName(tenant.managementScope, { kind: 'ConfigMap', group: '', namespace: this.identity.namespace, name: status }, managementCluster);
      return () => bundle.prepare();
    };
  }

  private secretsRole({ holder, managementCluster }: DeliveryScope, roles: Map<string, TenantSecretsRole>, namespace: string): TenantSecretsRole {
    let role = roles.get(namespace);
    if (!role) {
      role = new TenantSecretsRole(new Construct(holder, `secrets-${namespace}`), this.identity, namespace);
      role.objects.forEach(object => claimObject(holder, object, managementCluster));
      roles.set(namespace, role);
    }
    return role;
  }

  private addProgram(scope: Construct, holder: Construct): void {
    const { props, identity: { name, namespace, labels }, selectorLabels } = this;
    const metadata = { name, namespace, labels };
    const image = props.image ?? DEFAULT_TCP_PROXY_IMAGE;
    warnOfFloatingImage(holder, image);
    if (props.createNamespace ?? true) {
      new ApiObject(scope, 'namespace', k8s.KubeNamespace.manifest({
        metadata: { name: namespace, labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'restricted' } },
      }));
    }
    new ApiObject(scope, 'service-account', k8s.KubeServiceAccount.manifest({ metadata, automountServiceAccountToken: false }));
    addOwnRole(scope, this.identity);
    new ApiObject(scope, 'workload', k8s.KubeDeployment.manifest({
      metadata: { ...metadata, annotations: props.annotations },
      spec: {
        replicas: props.replicas ?? 2,
        selector: { matchLabels: selectorLabels },
        template: {
          metadata: { labels: { ...props.podLabels, ...selectorLabels }, annotations: props.podAnnotations },
          spec: syncPodSpec(props, { name, image, selectorLabels }),
        },
      },
    }));
    new ApiObject(scope, 'disruption-budget', k8s.KubePodDisruptionBudget.manifest({
      metadata,
      spec: { maxUnavailable: k8s.IntOrString.fromNumber(1), selector: { matchLabels: selectorLabels } },
    }));
    new ApiObject(scope, 'metrics', k8s.KubeService.manifest({
      metadata: {
        ...metadata,
        annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(HEALTH_PORT), 'prometheus.io/path': '/metrics' },
      },
      spec: {
        clusterIp: 'None',
        publishNotReadyAddresses: true,
        selector: selectorLabels,
        ports: [{ name: 'metrics', port: HEALTH_PORT, targetPort: k8s.IntOrString.fromString('health'), protocol: 'TCP' }],
      },
    }));
    if (props.networkPolicy) {
      new ApiObject(scope, 'network-policy', k8s.KubeNetworkPolicy.manifest({
        metadata,
        spec: {
          podSelector: { matchLabels: selectorLabels },
          policyTypes: ['Ingress'],
          ingress: [{ ports: [{ port: k8s.IntOrString.fromNumber(HEALTH_PORT), protocol: 'TCP' }] }],
        },
      }));
    }
  }
}

/** Kubeconfigs that lead to the control plane's Service are of no use where a policy keeps `sync` away from its pods. */
function warnOfNetworkPolicy({ controlPlane, tenant: { adminKubeconfig: { keys } } }: DeliveryTenant, namespace: string): void {
  const from: any[] = controlPlane.networkPolicyObject?.toJson().spec.ingress[0].from ?? [];
  const admitted = from.some(({ namespaceSelector }) => namespaceSelector?.matchLabels['kubernetes.io/metadata.name'] === namespace);
  if (from.length > 0 && !admitted && keys[0].endsWith('.svc')) {
    Warnings._add(controlPlane, `networkPolicy.namespaces: does not name "${namespace}", so that sync cannot reach control planes at their ` +
      'Services. Add it.');
  }
}

function requireWhole(field: string, value: number | undefined, minimum: number, maximum = Number.MAX_SAFE_INTEGER): void {
  if (value !== undefined && (!Number.isInteger(value) || value < minimum || value > maximum)) {
    const range = maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
    throw invalidInput(field, value, `is not a whole number ${range}`, 'Give such a number, or leave it out for the default');
  }
}
