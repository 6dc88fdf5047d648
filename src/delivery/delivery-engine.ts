import { App } from 'cdk8s';
import { Construct } from 'constructs';
import { DeliveredTenant } from './delivered-tenant';
import { TenantApp } from './tenant-app';
import { TenantChartOptions } from './tenant-charts';
import { IHostedControlPlane } from '../control-plane/hosted-control-plane';

/** One tenant, as a delivery sees it. */
export interface DeliveryTenant {
  readonly controlPlane: IHostedControlPlane;
  readonly tenant: DeliveredTenant;
  /** Name of the tenant's folder among the manifests. */
  readonly folder: string;
  readonly app: TenantApp;
  readonly options: TenantChartOptions;
}

/** Where a delivery's own objects go. */
export interface DeliveryScope {
  /** The construct that the user made; it is in a chart of the management cluster. */
  readonly holder: Construct;
  readonly app: App;
  readonly managementCluster: string;
  /** Folder of the tenants' folders, relative to that of the app. */
  readonly outputFolder: string;
}

/**
 * What emits the objects of a delivery for one more tenant. What it returns is called before each synthesis, when the
 * tenant's objects are known and without errors, and returns errors.
 */
export type AddTenant = (tenant: DeliveryTenant) => (() => string[]) | void;

/** A way for tenants' objects to get to their clusters. */
export interface DeliveryEngine {
  /** As users call it. */
  readonly type: string;
  /** Whether `sync` of the image delivers. */
  readonly syncs: boolean;
  /** Whether the tenants' manifests are written into folders. */
  readonly writesFiles: boolean;
  /** Whether its objects must be in the cluster of the control planes. */
  readonly besideControlPlanes: boolean;
  /** What must be said where Endpoints and EndpointSlices are to be delivered; undefined for nothing. */
  readonly endpointsCaveat?: string;
  /** Emits the objects that all tenants share. */
  start(scope: DeliveryScope): AddTenant;
}
