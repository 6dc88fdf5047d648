import { createHash } from 'crypto';
import { ConfigMapParts } from './config-map-parts';
import { DeliveredTenant } from './delivered-tenant';
import { DeliveryScope, DeliveryTenant } from './delivery-engine';
import { oncePerSynthesis } from './once-per-synthesis';
import { yamlParts } from './parts';
import { Warnings } from '../validation/warnings';

/** The form of `tenant.json`; the image refuses others. */
const VERSION = 1;
const MAX_LABEL = 63;

/** The ConfigMaps by which `sync` gets the objects of a tenant, and what it has to know of it. */
export class Bundle {
  private readonly configMaps: ConfigMapParts;
  private readonly parts: () => string[];

  /** @param namespace that of `sync` */
  public constructor(scope: DeliveryScope, private readonly delivery: DeliveryTenant, namespace: string) {
    const { tenant } = delivery;
    this.parts = oncePerSynthesis(scope.app, () => yamlParts(titleOf(tenant), this.objects()));
    this.configMaps = new ConfigMapParts(tenant.managementScope, {
      namespace,
      labels: { 'app.kubernetes.io/name': 'tenant-bundle', 'app.kubernetes.io/instance': labelValue(bundleName(tenant)) },
      nameOf: part => part === 1 ? bundleName(tenant) : `${bundleName(tenant)}.${part}`,
      data: () => this.data(),
      managementCluster: scope.managementCluster,
    });
  }

  /** Makes the bundle's ConfigMaps fit the objects; returns why they cannot. */
  public prepare(): string[] {
    try {
      this.configMaps.prepare();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  }

  private data(): { [key: string]: string }[] {
    const parts = this.parts();
    const settings = settingsOf(this.delivery.tenant);
    const checksum = createHash('sha256').update(JSON.stringify([settings, parts])).digest('hex');
    return parts.map((objects, i) => ({
      'tenant.json': JSON.stringify({ version: VERSION, ...settings, part: i + 1, parts: parts.length, checksum }, null, 2),
      'objects.yaml': objects,
    }));
  }

  private objects(): any[] {
    const { app, tenant } = this.delivery;
    const objects = app.objects();
    const secret = objects.find(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Secret');
    if (secret) {
      Warnings._add(tenant.managementScope, `${titleOf(tenant)}: the Secret "${secret.metadata.name}" of the tenant goes through a ConfigMap of the management cluster, ` +
        'which is not encrypted as Secrets are. Have the tenant fetch its secrets, e.g. with External Secrets.');
    }
    return objects;
  }
}

/**
 * Names the first ConfigMap of a tenant: both parts are DNS labels, without a dot, so no two tenants, nor their parts, have
 * one name.
 */
export function bundleName({ exposure }: DeliveredTenant): string {
  return `${exposure.namespace}.${exposure.name}`;
}

function settingsOf(tenant: DeliveredTenant): object {
  const { exposure, adminKubeconfig, certificate } = tenant;
  return {
    tenant: { namespace: exposure.namespace, name: exposure.name },
    kubeconfig: { secretName: adminKubeconfig.secretName, keys: adminKubeconfig.keys },
    ...tenant.kubernetesEndpointsOwned ? { kubernetesEndpoints: 'owned' } : {},
    ...certificate ? { certificate } : {},
  };
}

function titleOf({ exposure }: DeliveredTenant): string {
  return `${exposure.namespace}/${exposure.name}`;
}

/** A value of a label, which is shorter than a name may be; different names stay different. */
function labelValue(name: string): string {
  return name.length <= MAX_LABEL ? name : `${name.slice(0, MAX_LABEL - 11).replace(/[.-]+$/, '')}-${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;
}
