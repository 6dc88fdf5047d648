export { EndpointsController } from './controller';
export type { EndpointsOptions, EndpointsStatus } from './options';
export { requiredRules } from './rbac';
