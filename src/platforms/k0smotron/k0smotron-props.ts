import type { k8s } from 'cdk8s-plus-30';
import type { K0smotronPersistence, K0smotronStorage } from './k0smotron-storage';

/** Versions of k0smotron's APIs. v1beta2 came with k0smotron 2.0, which still serves v1beta1. */
export enum K0smotronApiVersion {
  V1BETA1 = 'v1beta1',
  V1BETA2 = 'v1beta2',
}

/** The type of the Service in front of a control plane. */
export enum K0smotronServiceType {
  /** Inside the management cluster: what routes need. */
  CLUSTER_IP = 'ClusterIP',
  /** A port of every management node. */
  NODE_PORT = 'NodePort',
  /** An address of its own. */
  LOAD_BALANCER = 'LoadBalancer',
}

/** What a certificate that you bring is for. */
export enum K0smotronCertificate {
  CA = 'ca',
  SERVICE_ACCOUNT = 'sa',
  FRONT_PROXY = 'proxy',
  ETCD_CA = 'etcd',
  ETCD_CLIENT = 'apiserver-etcd-client',
  ETCD_PEER = 'etcd-peer',
  ETCD_SERVER = 'etcd-server',
}

/** A certificate that you bring. */
export interface K0smotronCertificateRef {
  /** What it is for. */
  readonly type: K0smotronCertificate;
  /** Secret beside the control plane with `tls.crt` and `tls.key`. */
  readonly secretName: string;
}

/** Manifests that k0s applies in the tenant cluster: one stack, from one ConfigMap or Secret. */
export interface K0smotronManifests {
  /** Name of the stack: a DNS label. `konnectivity` is k0s' own. */
  readonly name: string;
  /**
   * ConfigMap beside the control plane with a manifest under each key.
   * @default - `secretName` is given
   */
  readonly configMapName?: string;
  /**
   * Secret beside the control plane with a manifest under each key.
   * @default - `configMapName` is given
   */
  readonly secretName?: string;
}

/** How a patch changes an object. */
export enum K0smotronPatchType {
  /** RFC 6902. */
  JSON = 'json',
  /** RFC 7386: null removes a field. */
  MERGE = 'merge',
  /** Kubernetes' own. */
  STRATEGIC = 'strategic',
}

/** A patch of an object that k0smotron creates in the management cluster. */
export interface K0smotronPatch {
  /** Kind of the object, e.g. `StatefulSet`. */
  readonly kind: string;
  /** Its label `app.kubernetes.io/component`, e.g. `control-plane`. */
  readonly component: string;
  /** How it is applied. */
  readonly type: K0smotronPatchType;
  /** The patch: a list for JSON, else an object. */
  readonly content: any;
}

/** A control plane of k0smotron, whichever way it is reached. */
export interface K0smotronProps {
  /**
   * The newest version of Kubernetes that you know to work with your release of k0smotron, e.g. `1.37`: where it is newer
   * than what this library knows. A newer `kubernetesVersion` is an error then.
   * @default - what was read, see docs/upgrading.md; newer versions are a warning
   */
  readonly newestKubernetesVersion?: string;
  /**
   * Version of the custom resource.
   * @default K0smotronApiVersion.V1BETA2
   */
  readonly apiVersion?: K0smotronApiVersion;
  /**
   * Replicas of the control plane.
   * @default 1
   */
  readonly replicas?: number;
  /**
   * Image of k0s without tag; the tag is the version.
   * @default - k0smotron's
   */
  readonly image?: string;
  /**
   * ServiceAccount of the control plane's pods.
   * @default - the namespace's default
   */
  readonly serviceAccountName?: string;
  /**
   * Port of kube-apiserver, in the pod and on its Service. Not the public port, which belongs to the exposure.
   * @default 30443
   */
  readonly apiPort?: number;
  /**
   * Port of the konnectivity server, in the pod and on its Service: 1024 to 49151.
   * @default 30132
   */
  readonly konnectivityPort?: number;
  /**
   * Where the state of the cluster is kept.
   * @default K0smotronStorage.etcd()
   */
  readonly storage?: K0smotronStorage;
  /**
   * Where the pods keep their files.
   * @default K0smotronPersistence.emptyDir()
   */
  readonly persistence?: K0smotronPersistence;
  /**
   * The `spec` of k0s' ClusterConfig: CNI, images, Helm charts, arguments, telemetry, … What follows from the
   * exposure and from other properties is an error here.
   * @default - k0s' defaults
   */
  readonly k0sConfig?: { [name: string]: any };
  /**
   * Further flags of `k0s controller`, each as `--flag=value`.
   * @default - none
   */
  readonly controlPlaneFlags?: string[];
  /**
   * Certificates that you bring.
   * @default - k0smotron makes all
   */
  readonly certificateRefs?: K0smotronCertificateRef[];
  /**
   * Manifests that k0s applies in the tenant cluster.
   * @default - none
   */
  readonly manifests?: K0smotronManifests[];
  /**
   * CPU and memory of the control plane.
   * @default - none
   */
  readonly resources?: k8s.ResourceRequirements;
  /**
   * How the pods of the control plane, and of etcd, are spread.
   * @default - as the scheduler does
   */
  readonly topologySpreadConstraints?: k8s.TopologySpreadConstraint[];
  /**
   * Patches of the objects that k0smotron creates; need the API version v1beta2.
   * @default - none
   */
  readonly patches?: K0smotronPatch[];
}

/** A control plane of k0smotron behind a shared address. */
export interface K0smotronIngressProps extends K0smotronProps {
  /**
   * Type of the Service that routes lead to.
   * @default K0smotronServiceType.CLUSTER_IP
   */
  readonly serviceType?: K0smotronServiceType;
}

/** `k0smotron.io` Cluster. */
export interface K0smotronClusterProps extends K0smotronIngressProps {
  /**
   * The address that the Cluster says it has. Without any, its condition `Available` never becomes true. With one,
   * k0smotron writes a ConfigMap `kube-system/control-plane-endpoint` into the tenant cluster with this address and
   * `apiPort`; behind a shared address that is not where the API server is, so read `exposure` instead.
   * @default - the host of the API server
   */
  readonly externalAddress?: string;
}

/** `controlplane.cluster.x-k8s.io` K0smotronControlPlane. */
export interface K0smotronControlPlaneProps extends K0smotronIngressProps {
  /**
   * Name of the K0smotronControlPlane: a DNS label; that of the control plane itself is the name of the Cluster API Cluster,
   * after which k0smotron names all that it creates.
   * @default - `<name>-cp`
   */
  readonly controlPlaneName?: string;
}
