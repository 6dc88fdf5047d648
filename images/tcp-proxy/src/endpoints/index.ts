export { EndpointsController } from './controller';
export type { EndpointsOptions, EndpointsStatus } from './options';
