export * from './control-plane/endpoint';
export * from './control-plane/exposure';
export * from './control-plane/hostname-pattern';
export * from './control-plane/ingress-exposed-control-plane';
export * from './controllers/ingress-controller';
export { ControlPlanePlatform } from './platforms/control-plane-platform';
export type { IApiServerSettings, PlatformBindOptions, PlatformDefaults } from './platforms/control-plane-platform';
export * from './validation/warnings';
