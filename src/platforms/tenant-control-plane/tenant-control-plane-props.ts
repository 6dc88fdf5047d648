import type { Protocol, k8s } from 'cdk8s-plus-30';

/** What a platform's operator creates routes with. */
export enum OperatorRoutes {
  /**
   * Nothing: this library creates all routes. The custom resource names an IngressClass that nobody handles,
   * because the operator learns the public endpoint from there.
   */
  NONE = 'none',
  /** An Ingress for the API server; this library adds the other routes. Needs a controller driven by Ingresses. */
  INGRESS = 'ingress',
  /**
   * TLSRoutes for the API server and konnectivity. Needs the Gateway API controller, with listeners named
   * `kube-apiserver` and `konnectivity-server`, and CRDs that serve the operator's version of TLSRoute: Kamaji writes `v1`
   * (Gateway API 1.5 and newer), Steward 0.4 `v1alpha2`, which the experimental channel alone serves.
   */
  GATEWAY = 'gateway',
}

/** How the konnectivity agents run in the tenant cluster. */
export enum KonnectivityAgentMode {
  /** One on every node. */
  DAEMON_SET = 'DaemonSet',
  /** A number of replicas. */
  DEPLOYMENT = 'Deployment',
}

/** The addresses by which an API server may reach a kubelet. */
export enum KubeletAddressType {
  HOSTNAME = 'Hostname',
  INTERNAL_IP = 'InternalIP',
  EXTERNAL_IP = 'ExternalIP',
  INTERNAL_DNS = 'InternalDNS',
  EXTERNAL_DNS = 'ExternalDNS',
}

/** Further arguments of the control plane's components, each as `--flag=value`. */
export interface ComponentArgs {
  /**
   * For kube-apiserver. Flags that the operator computes from the custom resource are errors here.
   * @default - none
   */
  readonly apiServer?: string[];
  /**
   * For kube-controller-manager.
   * @default - none
   */
  readonly controllerManager?: string[];
  /**
   * For kube-scheduler.
   * @default - none
   */
  readonly scheduler?: string[];
  /**
   * For kine, where the datastore is a relational database or NATS.
   * @default - none
   */
  readonly kine?: string[];
}

/** CPU and memory of the control plane's components. */
export interface ComponentResources {
  /**
   * For kube-apiserver.
   * @default - none
   */
  readonly apiServer?: k8s.ResourceRequirements;
  /**
   * For kube-controller-manager.
   * @default - none
   */
  readonly controllerManager?: k8s.ResourceRequirements;
  /**
   * For kube-scheduler.
   * @default - none
   */
  readonly scheduler?: k8s.ResourceRequirements;
  /**
   * For kine.
   * @default - none
   */
  readonly kine?: k8s.ResourceRequirements;
}

/** The image of an addon that the operator installs into the tenant cluster; `{}` takes kubeadm's. */
export interface AddonImage {
  /**
   * Repository, e.g. `registry.example.com/coredns`.
   * @default - kubeadm's
   */
  readonly imageRepository?: string;
  /**
   * Tag.
   * @default - kubeadm's for the Kubernetes version
   */
  readonly imageTag?: string;
}

/** The konnectivity agents in the tenant cluster. */
export interface KonnectivityAgentProps {
  /**
   * Image without tag.
   * @default - registry.k8s.io/kas-network-proxy/proxy-agent
   */
  readonly image?: string;
  /**
   * Image tag.
   * @default - the one that belongs to the Kubernetes version
   */
  readonly version?: string;
  /**
   * How the agents run.
   * @default KonnectivityAgentMode.DAEMON_SET
   */
  readonly mode?: KonnectivityAgentMode;
  /**
   * Number of agents; only in the mode `DEPLOYMENT`.
   * @default - the operator's
   */
  readonly replicas?: number;
  /**
   * Taints that the agents tolerate.
   * @default - CriticalAddonsOnly
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Use the node's network. Steward always does behind an ingress or a gateway.
   * @default false
   */
  readonly hostNetwork?: boolean;
  /**
   * Further arguments. `--proxy-server-host` and `--proxy-server-port` follow from the exposure and are errors here.
   * @default - none
   */
  readonly extraArgs?: string[];
}

/** The konnectivity server, next to the API server. */
export interface KonnectivityServerProps {
  /**
   * Port that agents reach it on, in the pod and on its Service.
   * @default 8132
   */
  readonly port?: number;
  /**
   * Image without tag.
   * @default - registry.k8s.io/kas-network-proxy/proxy-server
   */
  readonly image?: string;
  /**
   * Image tag.
   * @default - the one that belongs to the Kubernetes version
   */
  readonly version?: string;
  /**
   * CPU and memory.
   * @default - none
   */
  readonly resources?: k8s.ResourceRequirements;
  /**
   * Further arguments. Flags that the operator sets (among them `--server-count`, which is the number of
   * replicas) are errors here.
   * @default - none
   */
  readonly extraArgs?: string[];
}

/** A further port of the control plane's Service, e.g. of a sidecar. */
export interface ControlPlanePort {
  /**
   * Name of the port: a DNS label. `kube-apiserver`, `konnectivity-server` and `steward-trustd` are taken. The last is
   * trustd's, which Steward adds itself, with the port 50001, for workers with Talos (`workerBootstrap`). Talos dials
   * trustd by its IP address, without SNI, so no route of a shared address leads there.
   */
  readonly name: string;
  /** Port of the Service. */
  readonly port: number;
  /**
   * Port of the pod, by number or name.
   * @default - as `port`
   */
  readonly targetPort?: number | string;
  /**
   * Transport protocol.
   * @default Protocol.TCP
   */
  readonly protocol?: Protocol;
  /**
   * Application protocol, as in a Service.
   * @default - none
   */
  readonly appProtocol?: string;
}

/** Where a TenantControlPlane pulls the images of its components from. */
export interface RegistrySettings {
  /**
   * Registry.
   * @default registry.k8s.io
   */
  readonly registry?: string;
  /**
   * Repository of kube-apiserver in the registry.
   * @default kube-apiserver
   */
  readonly apiServerImage?: string;
  /**
   * Repository of kube-controller-manager in the registry.
   * @default kube-controller-manager
   */
  readonly controllerManagerImage?: string;
  /**
   * Repository of kube-scheduler in the registry.
   * @default kube-scheduler
   */
  readonly schedulerImage?: string;
  /**
   * Appended to the image tag, which is the Kubernetes version.
   * @default - nothing
   */
  readonly tagSuffix?: string;
}

/** What Kamaji and Steward, which is a fork of it, have in common. */
export interface TenantControlPlaneProps {
  /**
   * The newest version of Kubernetes that your release of the operator admits, e.g. `1.37`: where it is another release
   * than the one that this library knows. A newer `kubernetesVersion` is an error then.
   * @default - what the newest release that was read admits, see docs/upgrading.md
   */
  readonly newestKubernetesVersion?: string;
  /**
   * Replicas of the control plane; 0 puts it to sleep.
   * @default - 2, the operator's default
   */
  readonly replicas?: number;
  /**
   * Name of the DataStore that holds the tenant's data.
   * @default - the operator's
   */
  readonly dataStore?: string;
  /**
   * The tenant's part of the DataStore: a database, or the prefix of keys in etcd. Cannot be changed or taken away later. Give that of
   * the present control plane, `status.storage.setup.schema`, to make one that goes on with its data, e.g. in another management cluster.
   * @default - one of its own, which is empty
   */
  readonly dataStoreSchema?: string;
  /**
   * As whom the control plane reads and writes its part of the DataStore, likewise `status.storage.setup.user`. Cannot be changed or taken
   * away later.
   * @default - one of its own
   */
  readonly dataStoreUsername?: string;
  /**
   * Port of kube-apiserver, in the pod and on its Service. Not the public port, which belongs to the exposure.
   * @default 6443
   */
  readonly apiPort?: number;
  /**
   * Further ports of the Service.
   * @default - none
   */
  readonly additionalPorts?: ControlPlanePort[];
  /**
   * Further arguments of the components.
   * @default - none
   */
  readonly extraArgs?: ComponentArgs;
  /**
   * CPU and memory of the components.
   * @default - none
   */
  readonly resources?: ComponentResources;
  /**
   * Labels that a node must have to run the control plane.
   * @default - any node
   */
  readonly nodeSelector?: { [name: string]: string };
  /**
   * Taints that the control plane tolerates.
   * @default - none
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * How replicas are spread.
   * @default - as the scheduler does
   */
  readonly topologySpreadConstraints?: k8s.TopologySpreadConstraint[];
  /**
   * Labels of the control plane's pods; the operator's own, e.g. `kamaji.clastix.io/name`, are errors here.
   * @default - the operator's
   */
  readonly podLabels?: { [name: string]: string };
  /**
   * Annotations of the control plane's pods.
   * @default - the operator's
   */
  readonly podAnnotations?: { [name: string]: string };
  /**
   * Addresses by which the API server reaches kubelets, most preferred first.
   * @default - InternalIP, ExternalIP, Hostname
   */
  readonly kubeletAddressTypes?: KubeletAddressType[];
  /**
   * Admission controllers of the API server.
   * @default - the operator's
   */
  readonly admissionControllers?: string[];
  /**
   * Have CoreDNS installed into the tenant cluster; `{}` takes the default image.
   * @default - not installed
   */
  readonly coreDns?: AddonImage;
  /**
   * Have kube-proxy installed into the tenant cluster; `{}` takes the default image.
   * @default - not installed
   */
  readonly kubeProxy?: AddonImage;
  /**
   * The konnectivity agents, where the control plane has `konnectivity`.
   * @default - the operator's defaults
   */
  readonly konnectivityAgent?: KonnectivityAgentProps;
  /**
   * The konnectivity server, where the control plane has `konnectivity`.
   * @default - the operator's defaults
   */
  readonly konnectivityServer?: KonnectivityServerProps;
  /**
   * IngressClass that no controller handles, named where this library creates the routes.
   * @default unhandled
   */
  readonly unhandledIngressClassName?: string;
}
