export * from './fleet/fleet-export';
export type { FleetCluster, FleetEdge } from './fleet/fleet-props';
export * from './fleet/fleet-routes';
export type { GatewayRegistration, SharedGatewayAttributes } from './gateway-attributes';
export * from './gateway-props';
export type { GatewayTunnel } from './gateway-tunnel';
export type { ISharedGateway, TunnelEndpoint } from './shared-gateway';
export * from './shared-ingress-gateway';
