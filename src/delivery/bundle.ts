import { createHash } from 'crypto';
import { ConfigMapParts } from './config-map-parts';
import { DeliveredTenant } from './delivered-tenant';
import { DeliveryScope, DeliveryTenant } from './delivery-engine';
import { titleOf } from './manifest-title';
import { yamlParts } from './parts';
import { labelValue, tenantName } from './tenant-name';
import {
  BUNDLE_LABEL_VALUE, BUNDLE_VERSION, BundleSettings, INSTANCE_LABEL, INVENTORY, MOST_OBJECTS, MOST_PARTS, NAME_LABEL, OBJECTS_KEY, SETTINGS_KEY,
} from '../agent/contract/bundle';
import { oncePerSynthesis } from '../synthesis/once-per-synthesis';
import { Warnings } from '../synthesis/warnings';
import { invalidInput } from '../validation/invalid-input';

/** The ConfigMap in which the image keeps what it applied. */
const KEPT_INVENTORY = `ConfigMap ${INVENTORY.namespace}/${INVENTORY.name}`;

/** The ConfigMaps by which `sync` gets the objects of a tenant, and what it has to know of it. */
export class Bundle {
  private readonly configMaps: ConfigMapParts;
  private readonly parts: () => string[];

  /** @param namespace that of `sync` */
  public constructor(scope: DeliveryScope, private readonly delivery: DeliveryTenant, namespace: string) {
    const { tenant } = delivery;
    this.parts = oncePerSynthesis(scope.app, () => this.render());
    this.configMaps = new ConfigMapParts(tenant.managementScope, {
      namespace,
      labels: { [NAME_LABEL]: BUNDLE_LABEL_VALUE, [INSTANCE_LABEL]: labelValue(tenantName(tenant.exposure)) },
      nameOf: part => part === 1 ? tenantName(tenant.exposure) : `${tenantName(tenant.exposure)}.${part}`,
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
    return parts.map((objects, i) => {
      const ofPart: BundleSettings = { version: BUNDLE_VERSION, ...settings, part: i + 1, parts: parts.length, checksum };
      return { [SETTINGS_KEY]: JSON.stringify(ofPart, null, 2), [OBJECTS_KEY]: objects };
    });
  }

  private render(): string[] {
    const objects = this.objects();
    if (objects.length > MOST_OBJECTS) {
      throw this.tooMuch(`${objects.length} objects`, `sync takes ${MOST_OBJECTS}`);
    }
    const parts = yamlParts(this.title, objects);
    if (parts.length > MOST_PARTS) {
      throw this.tooMuch(`${parts.length} ConfigMaps`, `sync takes ${MOST_PARTS}`);
    }
    return parts;
  }

  private tooMuch(value: string, limit: string): Error {
    return invalidInput(this.title, value, `are more than one tenant can have: ${limit}`, 'Deliver the tenant with TenantDelivery.manifests(), flux() or argoCd()');
  }

  private objects(): any[] {
    const { app, tenant } = this.delivery;
    const objects = app.objects();
    this.requireNotKept(objects);
    const secret = objects.find(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Secret');
    if (secret) {
      Warnings._add(tenant.managementScope, `objects: the Secret "${secret.metadata.name}" of a tenant goes through a ConfigMap of the management cluster, ` +
        'which is not encrypted as Secrets are. Have the tenant fetch its secrets, e.g. with External Secrets.');
    }
    return objects;
  }

  /** What `sync` writes itself would be overwritten at each visit, by one and then by the other. */
  private requireNotKept(objects: any[]): void {
    const { certificate } = this.delivery.tenant;
    const kept = certificate
      ? [KEPT_INVENTORY, `Secret ${certificate.namespace}/${certificate.secretName}`, `ConfigMap ${certificate.namespace}/${certificate.caConfigMapName}`]
      : [KEPT_INVENTORY];
    const title = objects.map(titleOf).find(object => kept.includes(object));
    if (title !== undefined) {
      throw invalidInput(this.title, title, 'is kept by sync itself', 'Leave it out of the chart, or rename it; a certificate of your own is TcpProxyCertificate.existingSecret()');
    }
  }

  private get title(): string {
    const { namespace, name } = this.delivery.tenant.exposure;
    return `${namespace}/${name}`;
  }
}

function settingsOf(tenant: DeliveredTenant): Omit<BundleSettings, 'version' | 'part' | 'parts' | 'checksum'> {
  const { exposure, adminKubeconfig, certificate, kubernetesEndpoints } = tenant;
  return {
    tenant: { namespace: exposure.namespace, name: exposure.name },
    kubeconfig: { secretName: adminKubeconfig.secretName, keys: adminKubeconfig.keys },
    ...kubernetesEndpoints ? { kubernetesEndpoints } : {},
    ...certificate ? { certificate } : {},
  };
}
