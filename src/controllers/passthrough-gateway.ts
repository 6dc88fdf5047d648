import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { GatewayApiController, GatewayApiControllerProps, TlsRouteOptions } from './gateway-api';
import { portOf, validateListeners } from './gateway-listener';
import { GatewayRef } from './gateway-ref';
import { IngressController } from './ingress-controller';
import { KGATEWAY_CLASS, KgatewayController } from './kgateway';
import {
  Gateway,
  GatewaySpecListeners,
  GatewaySpecListenersAllowedRoutesNamespaces as RouteNamespaces,
  GatewaySpecListenersAllowedRoutesNamespacesFrom as From,
  GatewaySpecListenersTlsMode,
} from '../imports/gateway.networking.k8s.io';
import { ManagementCluster } from '../synthesis/management-cluster';
import { claimObjects } from '../synthesis/object-claims';
import { validateAnnotations } from '../validation/annotations';
import { invalidInput, placed, placing } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label, validatePort } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, listOf, optional, struct } from '../validation/props';
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
 */
export class PassthroughGateway extends Construct {
  /** Name and namespace of the Gateway. */
  public readonly ref: GatewayRef;
  /** The Gateway; patch it for what has no property. */
  public readonly gatewayObject: ApiObject;
  private readonly gatewayClassName: string;
  private readonly listeners: PassthroughListener[];
  private readonly sameNamespaceOnly: boolean;

  public constructor(scope: Construct, id: string, props: PassthroughGatewayProps) {
    super(scope, id);
    try {
      required('props', props, 'Give namespace, gatewayClassName and listeners');
      this.listeners = requiredList('listeners', props.listeners, 'Give one for each kind of host, e.g. { name: "api", hostname: "*.k8s.example.com" }');
      checkProps('', props, CHECKS);
      const { namespace, labels } = props;
      this.gatewayClassName = props.gatewayClassName;
      this.ref = { name: validateDns1123Label('name', props.name ?? id), namespace };
      this.sameNamespaceOnly = props.routeNamespaceLabels === undefined;
      this.validateCount();
      validateListeners(this.listeners);

      const namespaces = admittedNamespaces(props.routeNamespaceLabels);
      this.gatewayObject = new ApiObject(this, 'gateway', Gateway.manifest({
        metadata: { ...this.ref, labels },
        spec: {
          gatewayClassName: this.gatewayClassName,
          infrastructure: props.infrastructureAnnotations && { annotations: props.infrastructureAnnotations },
          listeners: this.listeners.map(listener => listenerManifest(listener, namespaces)),
        },
      }));
      claimObjects(this, ManagementCluster.of(this).name);
    } catch (error) {
      throw placed(this, error);
    }
  }

  /** The ingress controller for control planes behind this Gateway: kgateway where the class is its own, `kgateway`. */
  public asController(options: TlsRouteOptions = {}): IngressController {
    return placing(this, () => {
      const props = this.controllerProps(required('options', options, 'Give {} for the defaults'));
      return this.gatewayClassName === KGATEWAY_CLASS ? new KgatewayController(props) : new GatewayApiController(props);
    });
  }

  /** What a controller of this Gateway is made with, for one that `asController` does not make, e.g. `IngressController.kgateway`. */
  public controllerProps(options: TlsRouteOptions = {}): GatewayApiControllerProps {
    return {
      ...options,
      gateway: this.ref,
      listeners: this.listeners,
      sameNamespaceOnly: this.sameNamespaceOnly,
    };
  }

  private validateCount(): void {
    if (this.listeners.length === 0) {
      throw invalidInput('listeners', this.listeners, 'is empty', 'Give one listener for each kind of host, e.g. "*.k8s.example.com"');
    }
    if (this.listeners.length > MAX_LISTENERS) {
      throw invalidInput('listeners', this.listeners.length, `is more than the ${MAX_LISTENERS} that a Gateway can have`,
        'Use wildcard hosts, which serve any number of control planes, or a second Gateway');
    }
  }
}

function listenerManifest(listener: PassthroughListener, namespaces: RouteNamespaces): GatewaySpecListeners {
  return {
    name: listener.name,
    hostname: listener.hostname,
    port: portOf(listener),
    protocol: 'TLS',
    tls: { mode: GatewaySpecListenersTlsMode.PASSTHROUGH },
    allowedRoutes: { kinds: [{ group: 'gateway.networking.k8s.io', kind: 'TLSRoute' }], namespaces },
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
