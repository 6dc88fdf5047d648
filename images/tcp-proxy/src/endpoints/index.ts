export { EndpointsController, EndpointsOptions, EndpointsStatus } from './controller';
export { requiredRules } from './rbac';
