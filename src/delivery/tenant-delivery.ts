import { ArgoCdDelivery, ArgoCdDeliveryProps } from './argo-cd-delivery';
import { ClusterResourceSetDelivery, ClusterResourceSetDeliveryProps } from './cluster-resource-set-delivery';
import { DeliveryEngine } from './delivery-engine';
import { FluxDelivery, FluxDeliveryProps } from './flux-delivery';
import { ManifestsDelivery } from './manifests-delivery';
import { SyncDelivery } from './sync-delivery';
import { SyncDeliveryProps } from './sync-props';
import { nameFactories } from '../validation/factories';

/**
 * How the objects of tenant clusters get there.
 *
 * @example
 * const tenants = new TenantCharts(management, 'tenants', {
 *   delivery: TenantDelivery.sync({ resyncIntervalSeconds: 600 }),
 * });
 */
export class TenantDelivery {
  /**
   * By you: the manifests of each tenant are written into a folder of its own, and nothing else is emitted.
   */
  public static manifests(): TenantDelivery {
    return new TenantDelivery(new ManifestsDelivery());
  }

  /**
   * By `sync` of the tcp-proxy image, which runs once in the management cluster: the objects travel in ConfigMaps there.
   * It also issues the certificates of tcp-proxies. No files are written.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static sync(props: SyncDeliveryProps = {}): TenantDelivery {
    return new TenantDelivery(new SyncDelivery(props));
  }

  /**
   * By Flux: one Kustomization for each tenant, with its admin kubeconfig. Commit or push the manifests to the source.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static flux(props: FluxDeliveryProps): TenantDelivery {
    return new TenantDelivery(new FluxDelivery(props));
  }

  /**
   * By Argo CD: one Application for each tenant. Argo CD must know the clusters; commit the manifests to the repository.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static argoCd(props: ArgoCdDeliveryProps): TenantDelivery {
    return new TenantDelivery(new ArgoCdDelivery(props));
  }

  /**
   * By Cluster API: one ClusterResourceSet for each tenant; the objects travel in ConfigMaps beside it. It never deletes
   * objects. No files are written.
   *
   * @throws when a property cannot work, with the field, its value, the reason and the remedy
   */
  public static clusterResourceSet(props: ClusterResourceSetDeliveryProps = {}): TenantDelivery {
    return new TenantDelivery(new ClusterResourceSetDelivery(props));
  }

  /** @internal */
  public readonly _engine: DeliveryEngine;

  private constructor(engine: DeliveryEngine) {
    this._engine = engine;
  }
}

nameFactories(TenantDelivery);
