import type { k8s } from 'cdk8s-plus-30';
import type { LogLevel } from './contract/log-level';
import type { ImagePullPolicy } from './image-pull-policy';
import type { Monitoring } from '../monitoring/monitoring';

/** What every construct that runs the image of this library takes: the tcp-proxy, the shared gateway and sync. */
export interface AgentWorkloadProps {
  /**
   * Image.
   * @default - the release that belongs to this version of the library
   */
  readonly image?: string;
  /**
   * Pull policy of the image.
   * @default - Kubernetes': IfNotPresent for a fixed tag
   */
  readonly imagePullPolicy?: ImagePullPolicy;
  /**
   * Names of pull Secrets beside the pods.
   * @default - none
   */
  readonly imagePullSecrets?: string[];
  /**
   * Level of the agent's log.
   * @default LogLevel.INFO
   */
  readonly logLevel?: LogLevel;
  /**
   * How Prometheus comes to the metrics, with alerts and a dashboard where it has an operator.
   * @default Monitoring.annotations()
   */
  readonly monitoring?: Monitoring;

  /**
   * Requests and limits of the container. No default has a CPU limit: throttling fails probes, delays every tenant and loses
   * the lease.
   * @default - tcp-proxy: requests 100m CPU and 48Mi memory, limit 512Mi memory; gateway: requests 200m and 256Mi, limit 4Gi;
   * sync: requests 50m and 128Mi, limit 256Mi
   */
  readonly resources?: k8s.ResourceRequirements;
  /**
   * Tolerations of the pods.
   * @default - tcp-proxy: every taint, as it runs before the CNI and the cloud controller have made nodes ready; gateway, sync: none
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Nodes that may run the pods.
   * @default - kubernetes.io/os: linux
   */
  readonly nodeSelector?: { [name: string]: string };
  /**
   * Affinity of the pods.
   * @default - none; replicas are spread over nodes, those of a gateway over zones too
   */
  readonly affinity?: k8s.Affinity;
  /**
   * Priority class of the pods.
   * @default - system-cluster-critical; for a tcp-proxy on every node system-node-critical
   */
  readonly priorityClassName?: string;

  /**
   * Annotations of the pods.
   * @default - none but a checksum of the configuration where a change of it is to replace pods, as in a tcp-proxy
   */
  readonly podAnnotations?: { [name: string]: string };
  /**
   * Labels of the pods.
   * @default - the selector's alone
   */
  readonly podLabels?: { [name: string]: string };
  /**
   * Labels of every object; not of the ConfigMaps by which sync gets the tenants' objects.
   * @default - app.kubernetes.io/name and app.kubernetes.io/instance alone
   */
  readonly labels?: { [name: string]: string };
  /**
   * Annotations of the Deployment or DaemonSet, e.g. for tools that restart it.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
}
