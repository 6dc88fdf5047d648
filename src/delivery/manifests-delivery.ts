import { AddTenant, DeliveryEngine } from './delivery-engine';

/** The manifests alone, for whatever applies them. */
export class ManifestsDelivery implements DeliveryEngine {
  public readonly type = 'manifests';
  public readonly syncs = false;
  public readonly writesFiles = true;
  public readonly besideControlPlanes = false;

  public start(): AddTenant {
    return () => undefined;
  }
}
