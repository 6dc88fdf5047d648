export * from './kubernetes-service-host-injection';
export * from './konnectivity-host-aliases';
export { MutatingAdmissionPolicyVersion } from './policy-version';
