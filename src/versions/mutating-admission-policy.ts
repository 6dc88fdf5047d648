/** The first minor version of Kubernetes 1 with each version of MutatingAdmissionPolicy (KEP-3962). */
export const FIRST_MINOR_WITH_POLICY = { v1: 36, v1beta1: 34, v1alpha1: 32 } as const;
