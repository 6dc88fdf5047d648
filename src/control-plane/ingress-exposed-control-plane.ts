import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { bindEntry, entriesOf, Entry, requireDistinctPorts, requireSeparateEntries } from './bound-entries';
import { CONTROL_PLANE } from './control-plane-checks';
import type { ControlPlaneEntry } from './control-plane-entry';
import { exposureOf } from './exposure-of';
import { tellGaps } from './gaps';
import { IHostedControlPlane } from './hosted-control-plane';
import type { HostedControlPlaneAttributes } from './hosted-control-plane-attributes';
import { ImportedControlPlane } from './imported-control-plane';
import type { IngressExposedControlPlaneProps } from './ingress-exposed-control-plane-props';
import { parseVersion } from './kubernetes-version';
import { requireSameTenant } from './move';
import { describeUnknown } from './platform-description';
import { recordReportedFacts } from './reported-facts';
import { recordRequired } from './required-objects';
import { TenantSide } from './tenant-side';
import { IngressController, PortBindOptions } from '../controllers/ingress-controller';
import { controlPlaneLabels } from '../manifests/labels';
import { recordEdge } from '../model/edge-facts';
import { Endpoint } from '../model/endpoint';
import { recordEntry } from '../model/entry-facts';
import { API_ROUTE, Exposure, KONNECTIVITY_ROUTE } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import { PlatformSecrets } from '../model/platform-secrets';
import { recordRoutedByPort } from '../model/routed-by-port';
import { ApiServerCertificate } from '../platforms/api-server-certificates';
import { ControlPlanePlatform, OperatorObject } from '../platforms/control-plane-platform';
import { Claims } from '../synthesis/claims';
import { claimHost } from '../synthesis/host-claims';
import { ManagementCluster } from '../synthesis/management-cluster';
import { recordMove, tenantOf } from '../synthesis/moves';
import { claimNodePorts } from '../synthesis/node-port-claims';
import { claimObjectName, claimObjects, claimOperatorObjects } from '../synthesis/object-claims';
import { claimSharedPort } from '../synthesis/shared-port-claims';
import { Warnings } from '../synthesis/warnings';
import { A_CONSTRUCT } from '../validation/construct';
import { invalidInput, placed } from '../validation/invalid-input';
import { checkProps } from '../validation/props';
import { required } from '../validation/required';

/**
 * A hosted control plane whose API server, and konnectivity server, are reached through a shared address
 * by their SNI host. Belongs into a chart for the management cluster.
 *
 * @example
 * const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
 *   namespace: 'tenants',
 *   kubernetesVersion: '1.35.6',
 *   domain: 'example.com',
 *   konnectivity: {},
 *   platform: ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} }),
 *   controller: IngressController.haproxy(),
 * });
 * new TcpProxyAddon(tenant, 'tcp-proxy', { controlPlane });
 */
export class IngressExposedControlPlane extends Construct implements IHostedControlPlane {
  /**
   * A control plane that this app does not make: of another app, of a Helm chart, or made by hand. A TcpProxyAddon, TenantCharts,
   * join tokens and KubernetesServiceHostInjection take it like one that is made here. No object of it is emitted.
   *
   * @throws when the attributes contradict each other, with the field, its value, the reason and the remedy
   */
  public static fromAttributes(scope: Construct, id: string, attributes: HostedControlPlaneAttributes): IHostedControlPlane {
    A_CONSTRUCT('scope', scope);
    return new ImportedControlPlane(scope, id, attributes);
  }

  /** How the control plane is reached: the source of every name and port. */
  public readonly exposure: Exposure;
  /** Kubernetes version of the tenant cluster, without a leading `v`. */
  public readonly kubernetesVersion: string;
  /** The custom resource of the platform, e.g. the TenantControlPlane; patch it for what has no property. */
  public readonly platformObject: ApiObject;
  /** The routes that this library emits, in the order of `exposure.routes`, but those of the main entry first. */
  public readonly routeObjects: ApiObject[];
  /** What leads the tenant's port, or its address, to it (`KubernetesServicePath.port()`, `ipv6Address()`); empty where they are no objects. */
  public readonly portRouteObjects: ApiObject[];

  /** The routes that the platform's operator creates. */
  public readonly operatorRoutes: PassthroughRoute[];
  /** The NetworkPolicy, when there is one. */
  public readonly networkPolicyObject?: ApiObject;
  /** The system that runs the control plane. */
  public readonly platform?: ControlPlanePlatform;
  /** The management cluster that the control plane is in. */
  public readonly managementCluster: string;
  /** The Secrets that the platform's operator keeps for it. */
  public readonly secrets: PlatformSecrets;
  /** The Cluster of Cluster API whose control plane it is. */
  public readonly clusterApiCluster?: string;

  public constructor(scope: Construct, id: string, props: IngressExposedControlPlaneProps) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give namespace, kubernetesVersion, platform and controller'), CONTROL_PLANE);
      const name = props.name ?? id;
      const { platform, controller } = props;
      const cluster = ManagementCluster.of(this);
      const managementCluster = cluster.name;
      const defaults = platform.defaults(name, props.namespace);
      const { adminKubeconfig, clusterCa, apiServerCertificate } = defaults;
      this.platform = platform;
      this.managementCluster = managementCluster;
      this.secrets = { adminKubeconfig, clusterCa, apiServerCertificate };
      this.clusterApiCluster = defaults.clusterApiCluster;

      const konnectivityOwnEntry = props.konnectivity?.controller !== undefined;
      this.exposure = exposureOf(name, { ...props, konnectivityOwnEntry }, defaults, { cluster, controller });
      if (props.movesFrom) {
        requireSameTenant(props.movesFrom, this);
        recordMove(this, props.movesFrom);
      }
      recordEdge(this.exposure, {
        controller: controller.displayName,
        servesPorts: controller.servesPorts,
        portRange: controller.tenantPortRange,
        addressRange: controller.tenantAddressRange,
        platformBringsProxy: platform.bringsTcpProxy,
        platformProxyProperty: platform._tcpProxyProperty,
        platformProxyPassesTls: platform._tcpProxyPassesTls,
      });
      this.kubernetesVersion = parseVersion(props.kubernetesVersion);
      const labels = {
        ...controlPlaneLabels(name),
        ...props.labels,
      };

      const entries = entriesOf(this.exposure, props, this.operatorMakes(props));
      const [main, ...others] = entries;
      requireSeparateEntries(entries);
      requireDistinctPorts(entries);
      this.operatorRoutes = entries.flatMap(({ operatorRoutes }) => operatorRoutes);
      const controllers = [...new Set(entries.map(entry => entry.controller))];
      controllers.flatMap(({ warnings }) => warnings).forEach(text => Warnings._add(this, text));
      const certificates = this.certificatesOf(props.furtherEntries ?? [], platform, labels);
      others.forEach(({ name: entry, controller: by, allowedCidrs, certificate }) =>
        recordEntry(this.exposure, entry!, { controller: by.displayName, allowedCidrs, certificate }));
      this.platformObject = platform.bind(new Construct(this, 'platform'), {
        exposure: this.exposure,
        kubernetesVersion: this.kubernetesVersion,
        controller,
        operatorRoutes: this.operatorRoutes,
        apiServer: new TenantSide(this, platform, this.exposure, cluster),
        certificates,
        labels,
        annotations: props.annotations ?? {},
      });
      recordRequired(this.exposure, this.platformObject, [platform, ...controllers]);
      const { kubernetesVersion, platformObject: resource } = this;
      recordReportedFacts(this.exposure, { platform: platform.displayName, kubernetesVersion, resource });
      describeUnknown(this.platformObject, platform, this.exposure, this.operatorRoutes);
      tellGaps(this, { exposure: this.exposure, platform, nodesReachable: props.nodesReachable, resource: this.platformObject });
      const bind = (entry: Entry) => bindEntry(this, entry, this.exposure, { labels, managementCluster });
      const mainObjects = bind(main);
      this.portRouteObjects = this.bindPort(controller, { allowedCidrs: main.allowedCidrs, labels });
      this.routeObjects = [...mainObjects, ...others.flatMap(bind)];
      this.networkPolicyObject = platform._addNetworkPolicy(this, {
        exposure: this.exposure,
        controller,
        konnectivityController: props.konnectivity?.controller,
        policy: props.networkPolicy,
        pods: defaults,
        labels,
      });
      this.claimNames(managementCluster, controller.separatesPorts, platform.operatorObjects(this.exposure, this.operatorRoutes, kubernetesVersion));
      claimNodePorts(this, platform._nodePorts(this.exposure), managementCluster,
        'A node port belongs to one Service of a cluster: give each control plane ports of its own');
    } catch (error) {
      throw placed(this, error);
    }
  }

  /** Public endpoint of the API server. */
  public get apiEndpoint(): Endpoint {
    return this.exposure.api;
  }

  /** Public endpoint of the konnectivity server. */
  public get konnectivityEndpoint(): Endpoint | undefined {
    return this.exposure.konnectivity;
  }

  /** Names and addresses that the API server's certificate carries. */
  public get certSans(): string[] {
    return this.exposure.certSans;
  }

  /** Public DNS names that must resolve to the shared address. */
  public get dnsNames(): string[] {
    return this.exposure.dnsNames;
  }

  /** All routes, also those that the platform's operator creates. */
  public get routes(): PassthroughRoute[] {
    return this.exposure.routes;
  }

  /** The port of the tenant, or its address. */
  private bindPort(controller: IngressController, options: Pick<PortBindOptions, 'allowedCidrs' | 'labels'>): ApiObject[] {
    const { exposure, exposure: { portRoute, addressRoute, kubernetesEndpoint } } = this;
    const route = portRoute ?? addressRoute;
    if (!route) {
      return [];
    }
    recordRoutedByPort(route);
    kubernetesEndpoint!.addresses.forEach(address => claimSharedPort(this, new Endpoint(address, route.port)));
    const scope = new Construct(this, 'port');
    return portRoute
      ? controller.bindPort(scope, { exposure, route, ...options })
      : controller.bindAddress(scope, { exposure, route, address: kubernetesEndpoint!.addresses[0], ...options });
  }

  /** The routes that the operator is left to make. It knows nothing of source networks, and of one controller alone. */
  private operatorMakes({ platform, controller, ownRoutes, allowedCidrs, konnectivity }: IngressExposedControlPlaneProps): string[] {
    const names = ownRoutes || allowedCidrs ? [] : this.operatorRoutesOf(platform, controller);
    return konnectivity?.controller && names.includes(KONNECTIVITY_ROUTE) ? [] : names;
  }

  /** One for each Secret: several hosts may share a certificate. */
  private certificatesOf(entries: ControlPlaneEntry[], platform: ControlPlanePlatform, labels: { [name: string]: string }): ApiServerCertificate[] {
    const { namespace, name: controlPlane } = this.exposure;
    const hosts = new Map<string, string[]>();
    entries.forEach(({ name: entry, hostname, certificate }, i) => {
      if (certificate && hostname === undefined) {
        throw invalidInput(`furtherEntries[${i}].certificate`, certificate._source, 'is for no host: the entry does not lead to the API server, and ' +
          'the konnectivity server has that of the tenant\'s CA alone',
        'Leave it out, or give hostname');
      }
      if (certificate) {
        const scope = new Construct(this, `certificate-${entry}`);
        const { managementCluster } = this;
        const secretName = certificate._bind(scope, { namespace, controlPlane, entry, host: hostname!, labels, managementCluster });
        hosts.set(secretName, [...hosts.get(secretName) ?? [], hostname!]);
      }
    });
    const certificates = [...hosts].map(([secretName, of]) => ({ secretName, hosts: of }));
    if (certificates.length > 0) {
      platform.validateCertificates(certificates);
    }
    platform._validateEntries(this.exposure, certificates);
    return certificates;
  }

  private operatorRoutesOf(platform: ControlPlanePlatform, controller: IngressController): string[] {
    const names = platform.operatorRoutes(this.exposure, controller);
    const known = [API_ROUTE, KONNECTIVITY_ROUTE, ...this.exposure.routes.map(route => route.name)];
    const unknown = names.find(name => !known.includes(name));
    if (unknown !== undefined) {
      throw invalidInput(`operatorRoutes() of the platform ${platform.displayName}`, unknown, 'is not a route of the control plane',
        `Return names among ${[...new Set(known)].map(name => `"${name}"`).join(', ')}`);
    }
    return names;
  }

  private claimNames(managementCluster: string, separatesPorts: boolean, operatorObjects: OperatorObject[]): void {
    const { routes, namespace, clusterId } = this.exposure;
    // The others are behind the address of an entry.
    routes.filter(({ ownAddress }) => ownAddress).forEach(({ hostname, port }) => claimHost(this, hostname, port, separatesPorts));
    if (clusterId) {
      Claims.of(this).claim('cluster ID', clusterId, this, 'Give each control plane a cluster ID of its own', { variant: tenantOf(this) });
    }
    claimObjects(this, managementCluster);
    const [{ serviceName, serviceNamespace }] = routes;
    if (serviceName === 'kubernetes' && serviceNamespace === 'default') {
      throw invalidInput('name', serviceName, 'would give the Service default/kubernetes of the management cluster to the control plane, so that nothing there reaches its own API server',
        'Give the control plane another name or namespace');
    }
    claimObjectName(this, { kind: 'Service', group: '', name: serviceName, namespace: serviceNamespace }, managementCluster);
    claimOperatorObjects(this, operatorObjects.map(object => ({ namespace, ...object })), managementCluster);
  }
}
