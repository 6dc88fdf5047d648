export type { ArgoCdHelmDeliveryProps } from './argo-cd-helm-delivery';
export type { Cdk8sHelmDeliveryProps } from './cdk8s-helm-delivery';
export * from './controller-service';
export type { FluxHelmDeliveryProps } from './flux-helm-delivery';
export * from './helm-delivery';
export * from './ingress-controller-install';
