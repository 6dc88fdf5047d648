import type { AgentWorkloadProps } from '../agent/agent-workload-props';

/** The pods of `sync` of the tcp-proxy image, whatever it does for tenants. */
export interface SyncProgramProps extends AgentWorkloadProps {
  /**
   * Emit the Namespace.
   * @default true
   */
  readonly createNamespace?: boolean;
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
   * Emit a NetworkPolicy that lets nobody connect but to the health port. What the pods connect to, the API servers of
   * the management cluster and of all tenants, stays open.
   * @default false
   */
  readonly networkPolicy?: boolean;
}

/** Delivery by `sync` of the tcp-proxy image. */
export interface SyncDeliveryProps extends SyncProgramProps {
  /**
   * Namespace of `sync` and of the ConfigMaps with the tenants' objects. Whoever may write ConfigMaps there is
   * administrator of every tenant, so it belongs to `sync` alone.
   * @default tenant-sync
   */
  readonly namespace?: string;
  /**
   * Name of the objects.
   * @default tenant-sync
   */
  readonly name?: string;
}
