import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { resolveEdge } from './fleet/edge-port';
import { FleetClusters } from './fleet/fleet-clusters';
import { requireServedAddress, resolveAddressRange } from './gateway-addresses';
import type { GatewayRegistration, SharedGatewayAttributes } from './gateway-attributes';
import { GATEWAY_CHECKS, GATEWAY_REGISTRATION } from './gateway-checks';
import { SharedGatewayController } from './gateway-controller';
import { addGatewayNetworkPolicy, addLoadBalancer } from './gateway-network-objects';
import { CONTAINER, gatewayPod, gatewayStrategy } from './gateway-pod';
import { requireDistinctPorts, requireTenantPort, tooManyServicePorts, validatePortRange } from './gateway-ports';
import { ExternalTrafficPolicy, SharedIngressGatewayProps } from './gateway-props';
import { addTunnel, tunnelEndpoint, tunnelExposure, tunnelMount } from './gateway-tunnel';
import { validateGatewayProps } from './gateway-validation';
import { gatewayHaproxyConfig } from './haproxy-config';
import { RouteConfigMaps } from './route-config-maps';
import { GatewayTenant } from './routing-tables';
import { defaultGatewayResources, hidesSources, resolveGateway, SHARED_GATEWAY_DEFAULTS, whySourcesAreHidden } from './settings';
import { ISharedGateway, TunnelEndpoint } from './shared-gateway';
import { GatewayTenants } from './tenants';
import { AgentWorkload } from '../agent/agent-workload';
import { CONFIG_FILE, RUN_FOLDER } from '../agent/contract/paths';
import { routesRules } from '../agent/contract/rbac';
import { GATEWAY_APP } from '../agent/contract/routing-tables';
import { ControllerGateway } from '../controllers/controller-gateway';
import { AddressBindOptions, IngressController, IngressControllerBindOptions, PortBindOptions } from '../controllers/ingress-controller';
import type { AddressRange } from '../model/address-range';
import { resolveTlvType } from '../model/cluster-id';
import { Endpoint } from '../model/endpoint';
import { Exposure } from '../model/exposure';
import { AN_EXPOSURE } from '../model/exposure-checks';
import { PassthroughRoute } from '../model/exposure-props';
import { isInPortRange, PortRange } from '../model/port-range';
import { recordRoutedByPort } from '../model/routed-by-port';
import { configMapManifest, roleManifest } from '../objects/kubernetes';
import { ManagementCluster } from '../synthesis/management-cluster';
import { claimObjects } from '../synthesis/object-claims';
import { validateAddressOrName } from '../validation/address';
import { nameFactories } from '../validation/factories';
import { validateDnsName } from '../validation/hostname';
import { invalidInput, placed, placing } from '../validation/invalid-input';
import { ipFamily } from '../validation/ip-network';
import { validateDns1035Label, validateDns1123Label, validatePort } from '../validation/name';
import { checkProps } from '../validation/props';
import { required } from '../validation/required';

/**
 * One shared address for any number of control planes, on HAProxy: a port that routes on the SNI host, one that
 * routes on the cluster ID in a PROXY v2 header, which keeps client certificates, and ports that lead to one control plane
 * each. Belongs into a chart for the management cluster.
 *
 * Control planes come and go without a reload: they are entries of maps.
 *
 * @example
 * const edge = new SharedIngressGateway(management, 'edge', { namespace: 'edge' });
 * const controller = edge.asController();
 */
export class SharedIngressGateway extends Construct implements ISharedGateway {
  /** Refers to a gateway that this app does not define. */
  public static fromAttributes(attributes: SharedGatewayAttributes): ISharedGateway {
    required('attributes', attributes, 'Give host, e.g. { host: "192.0.2.10" }');
    const host = validateAddressOrName('host', attributes.host);
    return {
      host,
      clusterIdPort: validatePort('clusterIdPort', attributes.clusterIdPort ?? SHARED_GATEWAY_DEFAULTS.clusterIdPort),
      tlvType: resolveTlvType(attributes),
      tunnel: attributes.tunnelHost === undefined ? undefined : { host: validateDnsName('tunnelHost', attributes.tunnelHost), port: 443 },
      expect: () => undefined,
    };
  }

  public readonly host?: string;
  /** Public port that routes on the SNI host. */
  public readonly sniPort: number;
  public readonly clusterIdPort?: number;
  public readonly tlvType: number;
  public readonly tunnel?: TunnelEndpoint;
  /** The name of the tunnel, e.g. for TenantDns; undefined without one. */
  public readonly tunnelExposure?: Exposure;
  /** Ports that lead to one tenant each. */
  public readonly portRange?: PortRange;
  /** IPv6 addresses that lead to one tenant each. */
  public readonly addressRange?: AddressRange;
  /** Public port for the edge of a fleet; undefined without one. */
  public readonly edgePort?: number;
  /** @internal What platforms ask of the gateway. */
  public readonly _facts: ControllerGateway;
  /** The complete HAProxy configuration, as it runs; it holds no tenant. */
  public readonly haproxyConfig: string;
  /** The Deployment. */
  public readonly workload: ApiObject;
  /** The Service with the shared address. */
  public readonly loadBalancer: ApiObject;

  /** @internal */
  public readonly _tenants: GatewayTenants;
  private readonly clusters: FleetClusters;
  private readonly routes: RouteConfigMaps;
  private readonly nodePorts: boolean;
  private readonly hostNetwork: boolean;

  public constructor(scope: Construct, id: string, props: SharedIngressGatewayProps) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give namespace'), GATEWAY_CHECKS);
      validateGatewayProps(props);
      const name = validateDns1035Label('name', props.name ?? id);
      const namespace = validateDns1123Label('namespace', props.namespace);
      const clusterDomain = validateDnsName('clusterDomain', props.clusterDomain ?? SHARED_GATEWAY_DEFAULTS.clusterDomain);
      this.host = props.host === undefined || ipFamily(props.host) ? props.host : validateDnsName('host', props.host);
      this.tlvType = resolveTlvType(props);
      this.sniPort = validatePort('sniPort', props.sniPort ?? SHARED_GATEWAY_DEFAULTS.sniPort);
      this.clusterIdPort = props.clusterIdRouting === false ? undefined : validatePort('clusterIdPort', props.clusterIdPort ?? SHARED_GATEWAY_DEFAULTS.clusterIdPort);
      if (this.sniPort === this.clusterIdPort) {
        throw invalidInput('clusterIdPort', this.clusterIdPort, 'is also the sniPort', 'Give the two different ports');
      }
      if (props.portRange) {
        const others = [this.sniPort, this.clusterIdPort, props.tunnel && CONTAINER.tunnelPort, props.edge && CONTAINER.edgePort];
        validatePortRange(props.portRange, others.filter(port => port !== undefined));
        this.portRange = { first: props.portRange.first, last: props.portRange.last };
      }
      this.addressRange = resolveAddressRange(props);
      this.hostNetwork = props.hostNetwork ?? this.addressRange !== undefined;
      if (hidesSources(props) && (props.shares?.perSource ?? props.shares?.trustedSources) !== undefined) {
        throw invalidInput('shares', props.shares, 'cannot be enforced for sources: with externalTrafficPolicy Cluster sources are nodes',
          'Leave perSource and trustedSources out, or use ExternalTrafficPolicy.LOCAL');
      }
      this.edgePort = resolveEdge(props, [this.sniPort, this.clusterIdPort]);
      this.clusters = new FleetClusters(this, props.clusters ?? []);
      this.nodePorts = props.nodePorts ?? true;
      this._tenants = new GatewayTenants(this);
      // HAProxy has no map for a port that there is not.
      this.routes = new RouteConfigMaps(this._tenants, {
        clusterDomain,
        clusters: this.clusters,
        shards: props.routeShards ?? SHARED_GATEWAY_DEFAULTS.routeShards,
        absent: [...props.tunnel ? [] : ['tunnel' as const], ...this.addressRange ? [] : ['destinations' as const], ...this.clusters.isEmpty ? ['domains' as const, 'gateways' as const] : []],
        empty: this.clusterIdPort === undefined ? ['cluster-ids'] : [],
      });
      const workload = new AgentWorkload(props, { command: 'gateway', app: GATEWAY_APP, name, namespace, defaults: { resources: defaultGatewayResources() } });
      workload.warn(this);
      this.tunnel = props.tunnel && tunnelEndpoint(props.tunnel);
      const { haproxy, ...stop } = resolveGateway(props);
      this.haproxyConfig = gatewayHaproxyConfig({
        ...haproxy,
        runFolder: RUN_FOLDER,
        listenAddresses: props.ipv6 === false ? ['0.0.0.0'] : ['0.0.0.0', '::'],
        sniPort: CONTAINER.sniPort,
        clusterIdPort: this.clusterIdPort === undefined ? undefined : CONTAINER.clusterIdPort,
        tlvType: this.tlvType,
        portRange: this.portRange,
        addressPort: this.addressRange?.port,
        tunnel: props.tunnel && { port: CONTAINER.tunnelPort, proxyProtocolCidrs: props.tunnel.proxyProtocolCidrs },
        clusters: !this.clusters.isEmpty,
        edge: props.edge && { port: CONTAINER.edgePort, cidrs: props.edge.trustedCidrs },
        portLoadBalancerCidrs: props.loadBalancerProxyProtocol?.sniPortOnly ? undefined : props.loadBalancerProxyProtocol?.trustedCidrs,
        proxyCidrs: props.proxyCidrs,
        loadBalancerCidrs: props.loadBalancerProxyProtocol?.trustedCidrs,
        nameservers: props.nameservers?.map(nameserver => new Endpoint(nameserver, 53)),
      }).render();

      const { metadata, selectorLabels } = workload;
      this._facts = { namespace, podLabels: selectorLabels, tlvType: this.clusterIdPort === undefined ? undefined : this.tlvType };
      new ApiObject(this, 'config', configMapManifest({
        metadata: { ...metadata, name: `${name}-haproxy` },
        data: { [CONFIG_FILE]: this.haproxyConfig },
      }));
      const routeConfigMaps = this.routes.names(name);
      this.routes.add(this, routeConfigMaps, metadata);

      const followsRoutes = props.followRoutes ?? true;
      this.workload = workload.addDeployment(this, {
        replicas: props.replicas ?? SHARED_GATEWAY_DEFAULTS.replicas,
        strategy: gatewayStrategy(this.hostNetwork),
      }, workload.podTemplate(gatewayPod({
        workload,
        stop,
        clusterIdRouting: this.clusterIdPort !== undefined,
        nameservers: props.nameservers ?? [],
        closeRemovedTenants: props.closeRemovedTenants ?? false,
        routeConfigMaps,
        edge: this.edgePort !== undefined,
        tables: this.routes.tables,
        tunnelMount: props.tunnel && tunnelMount(props.tunnel, name),
        followsRoutes,
        hostNetwork: this.hostNetwork,
        localNetwork: props.addressRange?.localRoute === false ? undefined : this.addressRange?.prefix,
        addressPort: this.addressRange?.port,
      })));
      if (followsRoutes) {
        workload.addServiceAccount(this);
        new ApiObject(this, 'routes-role', roleManifest({ metadata, rules: routesRules(routeConfigMaps) }));
        workload.addRoleBinding(this, 'routes-role-binding', metadata);
      }
      workload.addDisruptionBudget(this);

      const network = {
        workload,
        sniPort: this.sniPort,
        clusterIdPort: this.clusterIdPort,
        portRange: this.portRange,
        edgePort: this.edgePort,
        gateways: this.clusters.gateways,
        tunnel: this.tunnel !== undefined,
        ownAddress: props.loadBalancer ?? true,
        portsInUse: () => this.servicePorts,
        ipv6: props.ipv6 ?? true,
        externalTrafficPolicy: props.externalTrafficPolicy ?? ExternalTrafficPolicy.LOCAL,
        nodePorts: this.nodePorts,
        loadBalancerClass: props.loadBalancerClass,
        serviceAnnotations: props.serviceAnnotations,
        tenantNamespaceLabels: props.tenantNamespaceLabels ?? {},
        apiServerCidrs: followsRoutes ? props.apiServerCidrs ?? [] : undefined,
      };
      this.loadBalancer = addLoadBalancer(this, network);
      workload.addMonitoring(this, 'metrics', CONTAINER.healthPort, `${name}-metrics`);
      // None holds for pods on the host network.
      if (!this.hostNetwork && (props.networkPolicy ?? true)) {
        addGatewayNetworkPolicy(this, network);
      }

      if (props.tunnel) {
        this.tunnelExposure = tunnelExposure(props.tunnel, metadata);
        addTunnel(this, props.tunnel, this.tunnelExposure, workload);
      }

      claimObjects(this, ManagementCluster.of(this).name);
      this.node.addValidation({
        validate: () => [...this._tenants.errors(), ...this.clusters.errors(this._tenants), ...this.sizeErrors(), ...this.sourceErrors(props)],
      });
    } catch (error) {
      throw placed(this, error);
    }
  }

  /**
   * Routes a control plane that does not have this gateway as its controller, or that this app does not define: the hosts of
   * its main entry and, when it has one, its cluster ID; or the hosts of another entry.
   *
   * @throws when a source network or the cluster ID is not valid
   */
  public register(exposure: Exposure, options: GatewayRegistration = {}): void {
    placing(this, () => {
      AN_EXPOSURE('exposure', exposure);
      const { allowedCidrs, entry } = checkProps('', required('options', options, 'Leave it out for the defaults'), GATEWAY_REGISTRATION);
      const hosts = exposure.routes.filter(of => !of.ownAddress && of.entry === entry);
      if (entry !== undefined) {
        exposure.dnsNamesOf(entry);
        return this.addTenant({ exposure, entry, routes: hosts, allowedCidrs }, false);
      }
      requireTenantPort(exposure, this.portRange);
      const routes = [...hosts, ...exposure.portRoute ? [exposure.portRoute] : []];
      const { addressRoute: route, kubernetesEndpoint } = exposure;
      const address = route && { address: kubernetesEndpoint!.addresses[0], route };
      if (address) {
        requireServedAddress(address.address, address.route.port, this.addressRange);
      }
      this.addTenant({ exposure, routes, address, allowedCidrs }, false);
    });
  }

  /** The ingress controller for control planes behind this gateway. */
  public asController(): IngressController {
    return new SharedGatewayController(this);
  }

  public expect(exposure: Exposure): void {
    placing(this, () => AN_EXPOSURE('exposure', exposure));
    this._tenants.expect(exposure);
  }

  /** @internal */
  public _add({ exposure, routes, allowedCidrs }: IngressControllerBindOptions): void {
    this.addTenant({ exposure, entry: routes[0].entry, routes, allowedCidrs }, true);
  }

  /** @internal */
  public _addPort({ exposure, route, allowedCidrs }: PortBindOptions): void {
    requireTenantPort(exposure, this.portRange);
    requireDistinctPorts([...this._tenants.portRoutesOf(exposure), route]);
    recordRoutedByPort(route);
    this._tenants.addFurther({ exposure, routes: [], portRoutes: [route], allowedCidrs });
  }

  /** @internal */
  public _addAddress({ exposure, route, address, allowedCidrs }: AddressBindOptions): void {
    this._tenants.addFurther({ exposure, routes: [], address: { address, route }, allowedCidrs });
  }

  /** The ports of tenants that the Service leads to: none where clients reach the pods at their nodes. */
  private get servicePorts(): number[] {
    return this.hostNetwork ? [] : [...new Set([...this._tenants.ports(), ...this.clusters.ports()])].sort((a, b) => a - b);
  }

  /** Every route is found by its port or by its host. */
  private addTenant(tenant: GatewayTenant, controlPlane: boolean): void {
    const byPort = (route: PassthroughRoute) => isInPortRange(route.port, this.portRange);
    const portRoutes = tenant.routes.filter(byPort);
    requireDistinctPorts(portRoutes);
    portRoutes.forEach(recordRoutedByPort);
    this._tenants.add({ ...tenant, routes: tenant.routes.filter(route => !byPort(route)), portRoutes }, controlPlane);
  }

  private sizeErrors(): string[] {
    const tooMany = tooManyServicePorts(this.servicePorts.length, this.nodePorts);
    return [...this.routes.errors(), ...tooMany === undefined ? [] : [tooMany]];
  }

  /** Source networks mean nothing where every source is a node. */
  private sourceErrors(props: SharedIngressGatewayProps): string[] {
    const hidden = whySourcesAreHidden(props);
    return hidden === undefined ? [] : this._tenants.limited().map(({ exposure, allowedCidrs }) => invalidInput('allowedCidrs', allowedCidrs,
      `of ${exposure.namespace}/${exposure.name} cannot be enforced: ${hidden.why}`, hidden.remedy).message);
  }
}

nameFactories(SharedIngressGateway);
