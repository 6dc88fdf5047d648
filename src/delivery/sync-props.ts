import type { k8s } from 'cdk8s-plus-30';

/** Delivery by `sync` of the tcp-proxy image. */
export interface SyncDeliveryProps {
  /**
   * Namespace of `sync` and of the ConfigMaps with the tenants' objects. Whoever may write ConfigMaps there is
   * administrator of every tenant, so it belongs to `sync` alone.
   * @default tenant-sync
   */
  readonly namespace?: string;
  /**
   * Emit the Namespace.
   * @default true
   */
  readonly createNamespace?: boolean;
  /**
   * Name of the objects.
   * @default tenant-sync
   */
  readonly name?: string;
  /**
   * Number of pods, of which one works and the others stand by.
   * @default 2
   */
  readonly replicas?: number;
  /**
   * Seconds between two visits to a tenant in which nothing changed: drift is repaired, and certificate and CA are checked. At most a day.
   * A new CA or kubeconfig is seen within a quarter of an hour all the same.
   * @default 3600
   */
  readonly resyncIntervalSeconds?: number;
  /**
   * Tenants that are visited at a time.
   * @default 16
   */
  readonly concurrency?: number;
  /**
   * Seconds after which a request to a tenant has failed.
   * @default 10
   */
  readonly requestTimeoutSeconds?: number;
  /**
   * Level of the log: trace, debug, info, warn or error.
   * @default info
   */
  readonly logLevel?: string;

  /**
   * Image.
   * @default - the release that belongs to this version of the library
   */
  readonly image?: string;
  /**
   * Pull policy of the image.
   * @default - Kubernetes': IfNotPresent for a fixed tag
   */
  readonly imagePullPolicy?: string;
  /**
   * Names of pull Secrets beside the pods.
   * @default - none
   */
  readonly imagePullSecrets?: string[];
  /**
   * Requests and limits of the container.
   * @default - requests 50m CPU and 128Mi memory, limit 256Mi memory; no CPU limit, as throttling loses the lease
   */
  readonly resources?: k8s.ResourceRequirements;
  /**
   * Tolerations of the pods.
   * @default - none
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Nodes that may run the pods.
   * @default - kubernetes.io/os: linux
   */
  readonly nodeSelector?: { [name: string]: string };
  /**
   * Affinity of the pods.
   * @default - none; the pods are spread over nodes
   */
  readonly affinity?: k8s.Affinity;
  /**
   * Priority class of the pods.
   * @default system-cluster-critical
   */
  readonly priorityClassName?: string;
  /**
   * Annotations of the pods.
   * @default - none
   */
  readonly podAnnotations?: { [name: string]: string };
  /**
   * Labels of the pods.
   * @default - the selector's alone
   */
  readonly podLabels?: { [name: string]: string };
  /**
   * Labels of every object but the ConfigMaps with the tenants' objects.
   * @default - app.kubernetes.io/name and app.kubernetes.io/instance alone
   */
  readonly labels?: { [name: string]: string };
  /**
   * Annotations of the Deployment.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
  /**
   * Emit a NetworkPolicy that lets nobody connect but to the health port. What the pods connect to, the API servers of
   * the management cluster and of all tenants, stays open.
   * @default false
   */
  readonly networkPolicy?: boolean;
}
