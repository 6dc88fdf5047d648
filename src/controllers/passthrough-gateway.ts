import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { GatewayApiController, GatewayApiControllerProps } from './gateway-api';
import { GatewayListener, portOf, validateListeners } from './gateway-listener';
import { GATEWAY_GROUP, GatewayRef } from './gateway-ref';
import { GatewayRouteOptions } from './gateway-route-options';
import { IngressController } from './ingress-controller';
import { KGATEWAY_CLASS, KgatewayController } from './kgateway';
import { portListenerName, portsOf } from './tenant-ports';
import {
  Gateway,
  GatewaySpecListeners,
  GatewaySpecListenersAllowedRoutesNamespaces as RouteNamespaces,
  GatewaySpecListenersAllowedRoutesNamespacesFrom as From,
  GatewaySpecListenersTlsMode,
} from '../imports/gateway.networking.k8s.io';
import { PORT_RANGE, PortRange } from '../model/port-range';
import { ManagementCluster } from '../synthesis/management-cluster';
import { claimObjects } from '../synthesis/object-claims';
import { validateAnnotations } from '../validation/annotations';
import { invalidInput, placed, placing } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label, validatePort } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, flag, listOf, optional, struct } from '../validation/props';
import { required, requiredList } from '../validation/required';
import { validateText } from '../validation/text';

/** A listener that passes TLS through. */
export interface PassthroughListener {
  /** Name of the listener, e.g. `kube-apiserver`. */
  readonly name: string;
  /**
   * The hosts: one exact name, or a wildcard such as `*.k8s.example.com`. Always set, as implementations disagree on a
   * listener without.
   */
  readonly hostname: string;
  /**
   * Port of the listener.
   * @default 443
   */
  readonly port?: number;
  /**
   * Port that clients connect to, where it is another one, e.g. 443 with Traefik, whose listener has the port 8443 of
   * its entry point.
   * @default - the port of the listener
   */
  readonly publicPort?: number;
}

/** A Gateway for control planes. */
export interface PassthroughGatewayProps {
  /**
   * Name of the Gateway.
   * @default - the construct's id
   */
  readonly name?: string;
  /** Namespace of the Gateway; it must exist. */
  readonly namespace: string;
  /** The GatewayClass, e.g. `cilium`, `eg` or `istio`. */
  readonly gatewayClassName: string;
  /**
   * The listeners, 64 at most. One wildcard for each kind of host serves any number of control planes:
   * `*.k8s.example.com` and `*.konnectivity.example.com`.
   */
  readonly listeners: PassthroughListener[];
  /**
   * Labels of the namespaces whose routes may attach; `{}` is every namespace. Who may attach a route can take any
   * host of a wildcard that no other route names, so admit the namespaces of control planes only.
   * @default - the Gateway's own namespace
   */
  readonly routeNamespaceLabels?: { [name: string]: string };
  /**
   * Ports that lead to one tenant each (KubernetesServicePath.port()). Each is a listener `port-<port>` of protocol TCP, unless tenants bring their
   * own (`listenerSets`).
   * @default - none
   */
  readonly portRange?: PortRange;
  /**
   * Whether tenants bring the listeners of their ports in ListenerSets, from the namespaces whose routes may attach. There may be any number of them
   * then, and the Gateway has those in use alone. The implementation must serve ListenerSets, and the CRDs be those of Gateway API 1.5 or newer.
   * Who may create one can take hosts and ports of this Gateway.
   * @default false
   */
  readonly listenerSets?: boolean;
  /**
   * Annotations for what the implementation creates, e.g. the load balancer's Service.
   * @default - none
   */
  readonly infrastructureAnnotations?: { [name: string]: string };
  /**
   * Labels of the Gateway.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

const CHECKS: Checks<PassthroughGatewayProps> = {
  name: optional(validateDns1123Label),
  namespace: validateDns1123Label,
  gatewayClassName: validateObjectName,
  listeners: listOf(struct<PassthroughListener>({
    name: validateObjectName, hostname: validateText, port: optional(validatePort), publicPort: optional(validatePort),
  })),
  routeNamespaceLabels: optional(validateLabels),
  portRange: optional(PORT_RANGE),
  listenerSets: optional(flag),
  infrastructureAnnotations: optional(validateInfrastructureAnnotations),
  labels: optional(validateLabels),
};

/** `spec.listeners` of a Gateway has this many items at most (Gateway API, CRD). */
const MAX_LISTENERS = 64;

/**
 * A Gateway whose listeners pass TLS through, shared by control planes. Belongs into a chart of the management
 * cluster, outside of every control plane: it is their one address.
 *
 * For a Gateway of one control plane alone, list the exact hosts.
 *
 * @example
 * const edge = new PassthroughGateway(management, 'edge', {
 *   namespace: 'edge',
 *   gatewayClassName: 'cilium',
 *   listeners: [{ name: 'k8s', hostname: '*.k8s.example.com' }, { name: 'konnectivity', hostname: '*.konnectivity.example.com' }],
 *   routeNamespaceLabels: { 'example.com/control-planes': 'true' },
 * });
 * const controller = edge.asController();
 */
export class PassthroughGateway extends Construct {
  /** Name and namespace of the Gateway. */
  public readonly ref: GatewayRef;
  /** The Gateway; patch it for what has no property. */
  public readonly gatewayObject: ApiObject;
  private readonly gatewayClassName: string;
  private readonly listeners: GatewayListener[];
  private readonly sameNamespaceOnly: boolean;
  private readonly ports: Pick<GatewayApiControllerProps, 'portRange' | 'listenerSets'>;

  public constructor(scope: Construct, id: string, props: PassthroughGatewayProps) {
    super(scope, id);
    try {
      required('props', props, 'Give namespace, gatewayClassName and listeners');
      requiredList('listeners', props.listeners, 'Give one for each kind of host, e.g. { name: "api", hostname: "*.k8s.example.com" }');
      checkProps('', props, CHECKS);
      const { namespace, labels, portRange, listenerSets } = props;
      this.ports = { portRange, listenerSets };
      requireRoom(props);
      this.listeners = [...props.listeners, ...portRange && !listenerSets ? portListeners(portRange) : []];
      this.gatewayClassName = props.gatewayClassName;
      this.ref = { name: validateDns1123Label('name', props.name ?? id), namespace };
      this.sameNamespaceOnly = props.routeNamespaceLabels === undefined;
      validateListeners(this.listeners);

      const namespaces = admittedNamespaces(props.routeNamespaceLabels);
      const manifest = Gateway.manifest({
        metadata: { ...this.ref, labels },
        spec: {
          gatewayClassName: this.gatewayClassName,
          infrastructure: props.infrastructureAnnotations && { annotations: props.infrastructureAnnotations },
          listeners: this.listeners.map(listener => listenerManifest(listener, namespaces)),
        },
      });
      // The generated class is older than the field.
      this.gatewayObject = new ApiObject(this, 'gateway', listenerSets ? { ...manifest, spec: { ...manifest.spec, allowedListeners: { namespaces } } } : manifest);
      claimObjects(this, ManagementCluster.of(this).name);
    } catch (error) {
      throw placed(this, error);
    }
  }

  /** The ingress controller for control planes behind this Gateway: kgateway where the class is its own, `kgateway`. */
  public asController(options: GatewayRouteOptions = {}): IngressController {
    return placing(this, () => {
      const props = this.controllerProps(required('options', options, 'Give {} for the defaults'));
      return this.gatewayClassName === KGATEWAY_CLASS ? new KgatewayController(props) : new GatewayApiController(props);
    });
  }

  /** What a controller of this Gateway is made with, for one that `asController` does not make, e.g. `IngressController.kgateway`. */
  public controllerProps(options: GatewayRouteOptions = {}): GatewayApiControllerProps {
    return {
      ...options,
      gateway: this.ref,
      listeners: this.listeners,
      sameNamespaceOnly: this.sameNamespaceOnly,
      ...this.ports,
    };
  }
}

function requireRoom({ listeners, portRange, listenerSets }: PassthroughGatewayProps): void {
  if (listeners.length === 0) {
    throw invalidInput('listeners', listeners, 'is empty', 'Give one listener for each kind of host, e.g. "*.k8s.example.com"');
  }
  if (listeners.length > MAX_LISTENERS) {
    throw invalidInput('listeners', listeners.length, `is more than the ${MAX_LISTENERS} that a Gateway can have`,
      'Use wildcard hosts, which serve any number of control planes, or a second Gateway');
  }
  const room = MAX_LISTENERS - listeners.length;
  if (portRange && !listenerSets && portRange.last - portRange.first >= room) {
    throw invalidInput('portRange', portRange, `has more ports than the ${room} listeners that a Gateway can have beside these`,
      'Set listenerSets, where the implementation serves them, give a smaller range, or use a SharedIngressGateway');
  }
}

function portListeners(range: PortRange): GatewayListener[] {
  return portsOf(range).map(port => ({ name: portListenerName(port), port, tcp: true }));
}

function listenerManifest(listener: GatewayListener, namespaces: RouteNamespaces): GatewaySpecListeners {
  return listener.tcp ? {
    name: listener.name,
    port: portOf(listener),
    protocol: 'TCP',
    allowedRoutes: { kinds: [{ group: GATEWAY_GROUP, kind: 'TCPRoute' }], namespaces },
  } : {
    name: listener.name,
    hostname: listener.hostname,
    port: portOf(listener),
    protocol: 'TLS',
    tls: { mode: GatewaySpecListenersTlsMode.PASSTHROUGH },
    allowedRoutes: { kinds: [{ group: GATEWAY_GROUP, kind: 'TLSRoute' }], namespaces },
  };
}

function admittedNamespaces(labels?: { [name: string]: string }): RouteNamespaces {
  if (labels === undefined) {
    return { from: From.SAME };
  }
  return Object.keys(labels).length === 0
    ? { from: From.ALL }
    : { from: From.SELECTOR, selector: { matchLabels: labels } };
}

/** The CRD takes so few. */
const MAX_INFRASTRUCTURE_ANNOTATIONS = 8;
/** And values of so many characters. */
const MAX_ANNOTATION = 4096;

function validateInfrastructureAnnotations(field: string, annotations: { [name: string]: string }): void {
  const entries = Object.entries(validateAnnotations(field, annotations));
  if (entries.length > MAX_INFRASTRUCTURE_ANNOTATIONS) {
    throw invalidInput(field, entries.length, `annotations are more than the ${MAX_INFRASTRUCTURE_ANNOTATIONS} that a Gateway can have for it`, 'Leave some out');
  }
  const long = entries.find(([, value]) => value.length > MAX_ANNOTATION);
  if (long) {
    throw invalidInput(`${field}["${long[0]}"]`, long[1].length, `characters are more than ${MAX_ANNOTATION}`, 'Shorten it');
  }
}
