import { k8s } from 'cdk8s-plus-30';

/** User and group of the image. */
const USER = 65532;

/** What every pod of the image runs as. */
export const POD_SECURITY_CONTEXT: k8s.PodSecurityContext = {
  runAsNonRoot: true,
  runAsUser: USER,
  runAsGroup: USER,
  fsGroup: USER,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** What a container of the image may do: the profile `restricted` of Pod Security, and no writing to its image. */
export const CONTAINER_SECURITY_CONTEXT: k8s.SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** A probe of the agent's HTTP endpoint, which is the port `health`. */
export function healthProbe(path: string, periodSeconds: number, failureThreshold: number): k8s.Probe {
  return { httpGet: { path, port: k8s.IntOrString.fromString('health') }, periodSeconds, failureThreshold, timeoutSeconds: 3 };
}
