import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { Checks, optional, struct } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';
import { MAX_INT32 } from '../validation/whole-number';

/** A fixed number of proxies. */
export interface ReplicasPlacementProps {
  /**
   * How many nodes run a proxy.
   * @default 2
   */
  readonly replicas?: number;
}

/** Files of a static pod on the node. */
export interface StaticPodPlacementProps {
  /**
   * Folder on the node with `haproxy.cfg` and, unless TLS stays closed, `tls/tls.crt` and `tls/tls.key`, readable by
   * the user 65532 alone.
   * @default /etc/kubernetes/tcp-proxy
   */
  readonly configFolder?: string;
  /**
   * Folder that the kubelet reads static pods from.
   * @default /etc/kubernetes/manifests
   */
  readonly manifestFolder?: string;
  /**
   * File on the node with the tenant CA.
   * @default /etc/kubernetes/pki/ca.crt
   */
  readonly caFile?: string;
}

const STATIC_POD: Checks<StaticPodPlacementProps> = {
  configFolder: optional(validatePath),
  manifestFolder: optional(validatePath),
  caFile: optional(validatePath),
};

function validatePath(field: string, path: string): void {
  if (!/^(\/[\w.-]+)+$/.test(validateText(field, path)) || path.split('/').includes('..')) {
    throw invalidInput(field, path, 'is not an absolute path', 'Start it with "/" and leave out a final one');
  }
}

/**
 * Where the tcp-proxy runs.
 *
 * @example
 * new TcpProxyAddon(tenant, 'tcp-proxy', {
 *   controlPlane,
 *   placement: TcpProxyPlacement.replicas({ replicas: 3 }),
 * });
 */
export class TcpProxyPlacement {
  /** A Deployment; two replicas survive the loss of a node. */
  public static replicas(props: ReplicasPlacementProps = {}): TcpProxyPlacement {
    const { replicas = 2 } = required('placement', props, 'Give { replicas: 2 }, or nothing');
    if (!Number.isInteger(replicas) || replicas < 1 || replicas > MAX_INT32) {
      throw invalidInput('placement.replicas', replicas, 'would leave pods without an API server', 'Give 1 or more; 2 survive the loss of a node');
    }
    return new TcpProxyPlacement('replicas', replicas);
  }

  /** A DaemonSet: a proxy on every node. */
  public static everyNode(): TcpProxyPlacement {
    return new TcpProxyPlacement('every-node');
  }

  /**
   * A static pod on every node, for node provisioning: it needs neither scheduler nor API server. The
   * files are in `TcpProxyAddon.nodeFiles`, and in a ConfigMap for tools that read the cluster.
   */
  public static staticPod(props: StaticPodPlacementProps = {}): TcpProxyPlacement {
    struct(STATIC_POD)('placement', props);
    const folders = {
      configFolder: props.configFolder ?? '/etc/kubernetes/tcp-proxy',
      manifestFolder: props.manifestFolder ?? '/etc/kubernetes/manifests',
      caFile: props.caFile ?? '/etc/kubernetes/pki/ca.crt',
    };
    return new TcpProxyPlacement('static-pod', undefined, folders);
  }

  private constructor(
    /** @internal */
    public readonly _kind: 'replicas' | 'every-node' | 'static-pod',
    /** @internal */
    public readonly _replicas?: number,
    /** @internal */
    public readonly _nodeFolders?: Required<StaticPodPlacementProps>,
  ) {}
}

nameFactories(TcpProxyPlacement);
