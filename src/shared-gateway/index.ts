export type { GatewayRegistration, SharedGatewayAttributes } from './gateway-attributes';
export * from './gateway-props';
export type { ISharedGateway } from './shared-gateway';
export * from './shared-ingress-gateway';
