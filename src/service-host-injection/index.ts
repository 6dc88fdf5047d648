export * from './kubernetes-service-host-injection';
export { MutatingAdmissionPolicyVersion } from './policy-version';
