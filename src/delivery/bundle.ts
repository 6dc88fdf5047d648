import { partSettings, settingsText, tenantAccess, TenantSettings } from './bundle-settings';
import { ConfigMapParts } from './config-map-parts';
import { keptBySync } from './delivered-tenant';
import { DeliveryScope, DeliveryTenant } from './delivery-engine';
import { titleOf } from './manifest-title';
import { yamlParts } from './parts';
import { labelValue, tenantName } from './tenant-name';
import {
  BUNDLE_LABEL_VALUE, INSTANCE_LABEL, INVENTORY, MOST_OBJECTS, MOST_PARTS, NAME_LABEL, OBJECTS_KEY, SETTINGS_KEY,
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
    const { tenant } = this.delivery;
    const { certificate } = tenant;
    const settings: TenantSettings = {
      ...tenantAccess(tenant),
      ...tenant.kubernetesEndpoints ? { kubernetesEndpoints: tenant.kubernetesEndpoints } : {},
      ...certificate ? { certificate } : {},
    };
    return partSettings(settings, parts).map((ofPart, i) => ({ [SETTINGS_KEY]: settingsText(ofPart), [OBJECTS_KEY]: parts[i] }));
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
    const kept = [KEPT_INVENTORY, ...this.delivery.tenant.keptObjects];
    const title = objects.map(titleOf).find(object => kept.includes(object));
    if (title !== undefined) {
      throw keptBySync(this.title, title);
    }
  }

  private get title(): string {
    const { namespace, name } = this.delivery.tenant.exposure;
    return `${namespace}/${name}`;
  }
}
