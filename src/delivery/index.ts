export type { ArgoCdDeliveryProps, ArgoCdDestination } from './argo-cd-delivery';
export type { ClusterResourceSetDeliveryProps } from './cluster-resource-set-delivery';
export { FluxDeletionPolicy, FluxSourceKind } from './flux-delivery';
export type { FluxDeliveryProps, FluxDependency, FluxSource } from './flux-delivery';
export type { SyncDeliveryProps, SyncProgramProps } from './sync-props';
export * from './tenant-certificates';
export type { TenantCertificatesProps } from './tenant-certificates-props';
export * from './tenant-charts';
export * from './tenant-delivery';
