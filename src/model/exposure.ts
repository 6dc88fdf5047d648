import { Endpoint } from './endpoint';
import { API_ROUTE, KONNECTIVITY_ENTRY, KONNECTIVITY_ROUTE } from './entry';
import { EXPOSURE } from './exposure-checks';
import { ExposureProps, PassthroughRoute } from './exposure-props';
import { furtherRoutes, validateHostsOfEntries } from './further-routes';
import { HostnamePattern } from './hostname-pattern';
import { KubernetesEndpoint, kubernetesEndpointOf } from './kubernetes-endpoint';
import { KubernetesServicePath } from './kubernetes-service-path';
import { parseTenantNetwork } from './tenant-network';
import { validateDnsName, validateHostname } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { IpNetwork, ipFamily } from '../validation/ip-network';
import { checkProps } from '../validation/props';
import { required } from '../validation/required';

export { API_ROUTE, KONNECTIVITY_ROUTE } from './entry';

/** @internal Name of the route of the tenant's port, to the API server as well. */
export const KUBERNETES_SERVICE_ROUTE = 'kubernetes-service';

/**
 * How one control plane is reached: the only source of its names, ports and SANs.
 *
 * Immutable. Platforms, ingress controllers, the tcp-proxy, DNS and reports read it; none of them derives
 * a name or a port on its own.
 *
 * @example
 * const exposure = controlPlane.exposure;
 * const server = exposure.kubeconfigServer; // https://tenants-tenant-01.k8s.example.com:443
 * const names = exposure.dnsNames;
 */
export class Exposure {
  /** Name of the control plane. */
  public readonly name: string;
  /** Namespace of the control plane in the management cluster. */
  public readonly namespace: string;
  /** Public endpoint of the API server. */
  public readonly api: Endpoint;
  /** Public endpoint of the konnectivity server. */
  public readonly konnectivity?: Endpoint;
  /** One route for each public endpoint: the API server's first, then konnectivity's, then the TLS services', then those of further entries. */
  public readonly routes: PassthroughRoute[];
  /** DNS domain of the tenant cluster. */
  public readonly clusterDomain: string;
  /** Networks of the tenant's Services. */
  public readonly serviceCidrs: string[];
  /** Networks of the tenant's pods. */
  public readonly podCidrs: string[];
  /** Addresses of the tenant's DNS Service; empty when the platform chooses. */
  public readonly dnsServiceIps: string[];
  /** Names and addresses that the API server's certificate must carry. */
  public readonly certSans: string[];
  /** Identifies the tenant at a shared gateway that routes on the PROXY protocol. */
  public readonly clusterId?: string;
  /** How pods of the tenant reach the Service `kubernetes`. */
  public readonly kubernetesService: KubernetesServicePath;
  /** What the endpoints of that Service hold, where the tenant has a port or an address of its own at the shared edge. */
  public readonly kubernetesEndpoint?: KubernetesEndpoint;
  /** The route of the tenant's port: it is found by the port, whatever the SNI host, and is none of `routes`. */
  public readonly portRoute?: PassthroughRoute;
  /** The route of the tenant's own address, that of `kubernetesEndpoint`: it is found by the address, and is none of `routes`. */
  public readonly addressRoute?: PassthroughRoute;

  public constructor(props: ExposureProps) {
    checkProps('', required('props', props, 'Give name and namespace, and hostname or domain'), EXPOSURE);
    this.name = props.name;
    this.namespace = props.namespace;
    this.clusterId = props.clusterId;

    const network = parseTenantNetwork(props.network ?? {});
    this.clusterDomain = network.clusterDomain;
    this.serviceCidrs = frozen(network.serviceCidrs);
    this.podCidrs = frozen(network.podCidrs);
    this.dnsServiceIps = frozen(network.dnsServiceIps);

    const port = props.port ?? 443;
    this.api = new Endpoint(hostnameOf(props, 'hostname', 'k8s', props.hostname), port);
    if (props.konnectivity) {
      this.konnectivity = new Endpoint(
        hostnameOf(props, 'konnectivity.hostname', 'konnectivity',
          props.konnectivity.hostname ?? (props.konnectivitySharesHostname ? this.api.host : undefined)),
        props.konnectivity.port ?? port,
      );
    }
    this.routes = frozen(this.buildRoutes(props));
    this.certSans = frozen(this.buildCertSans(props.certSans ?? []));
    this.kubernetesService = props.kubernetesService ?? KubernetesServicePath.tcpProxy();
    this.kubernetesEndpoint = kubernetesEndpointOf(this.kubernetesService, this);
    this.portRoute = this.buildPortRoute();
    this.addressRoute = this.buildAddressRoute();
  }

  /** The public DNS names of the main entry, each once; all of them must resolve to its shared address. */
  public get dnsNames(): string[] {
    return this.namesOf(undefined);
  }

  /** The names of the other entries, each of which has an address of its own: that of konnectivity, then the further ones. */
  public get entries(): string[] {
    return [...new Set(this.routes.flatMap(({ entry }) => entry ?? []))];
  }

  /**
   * The public DNS names of another entry; all of them must resolve to its address.
   *
   * @param entry one of `entries`
   * @throws when there is no such entry
   */
  public dnsNamesOf(entry: string): string[] {
    if (!this.entries.includes(entry)) {
      throw invalidInput('entry', entry, `is not an entry of ${this.namespace}/${this.name}`,
        this.entries.length === 0 ? 'It has none but the main one' : `Name one of ${this.entries.map(name => `"${name}"`).join(', ')}`);
    }
    return this.namesOf(entry);
  }

  private namesOf(entry: string | undefined): string[] {
    return [...new Set(this.routes.filter(route => route.entry === entry && !route.ownAddress).map(route => route.hostname))];
  }

  /** Arguments of the konnectivity agent; empty without konnectivity. */
  public get konnectivityAgentArgs(): string[] {
    return this.konnectivity
      ? [`--proxy-server-host=${this.konnectivity.host}`, `--proxy-server-port=${this.konnectivity.port}`]
      : [];
  }

  /** `server` of kubeconfigs for this control plane. */
  public get kubeconfigServer(): string {
    return this.api.url;
  }

  /**
   * The addresses that the Service `kubernetes` of the tenant may have: the first of each Service network. The API server
   * gives it that of the primary family.
   */
  public get kubernetesServiceIps(): string[] {
    return this.serviceCidrs.map(cidr => IpNetwork.parse('network.serviceCidrs', cidr).nth(1n));
  }

  /** The names that pods in the tenant know the API server by. */
  public get inClusterNames(): string[] {
    return ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', `kubernetes.default.svc.${this.clusterDomain}`];
  }

  /**
   * Helm values that let a CNI reach the API server before any Service works, in the names of Cilium's
   * chart: `k8sServiceHost` and `k8sServicePort`.
   */
  public get cniValues(): { [key: string]: string } {
    return { k8sServiceHost: this.api.host, k8sServicePort: String(this.api.port) };
  }

  /**
   * Environment that leads a client in the tenant to the public endpoint before any Service works, e.g. for a cloud
   * controller manager: `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`.
   */
  public get apiServerEnv(): { [name: string]: string } {
    return { KUBERNETES_SERVICE_HOST: this.api.host, KUBERNETES_SERVICE_PORT: String(this.api.port) };
  }

  private buildRoutes(props: ExposureProps): PassthroughRoute[] {
    const serviceName = props.backend?.serviceName ?? this.name;
    const serviceNamespace = props.backend?.serviceNamespace ?? this.namespace;
    const route = (name: string, endpoint: Endpoint, service: string, servicePort: number): PassthroughRoute =>
      ({ name, hostname: endpoint.host, port: endpoint.port, serviceName: service, serviceNamespace, servicePort });

    const routes: PassthroughRoute[] = [{
      ...route(API_ROUTE, this.api, serviceName, props.backend?.apiPort ?? 6443),
      ...props.backend?.apiPodPort !== undefined && { podPort: props.backend.apiPodPort },
      ...props.apiOwnAddress && { ownAddress: true },
    }];
    if (this.konnectivity) {
      routes.push({
        ...route(KONNECTIVITY_ROUTE, this.konnectivity, props.backend?.konnectivityServiceName ?? serviceName,
          props.backend?.konnectivityPort ?? 8132),
        ...props.konnectivityOwnEntry && { entry: KONNECTIVITY_ENTRY },
      });
    }
    (props.tlsServices ?? []).forEach((service, i) => {
      const field = `tlsServices[${i}]`;
      const { name } = service;
      if (name === API_ROUTE || name === KONNECTIVITY_ROUTE) {
        throw invalidInput(`${field}.name`, name, 'is the name of a route that every platform knows', 'Give the TLS service another name');
      }
      const endpoint = new Endpoint(hostnameOf(props, `${field}.hostname`, name, service.hostname), service.port ?? this.api.port);
      if (service.servicePort === undefined) {
        throw invalidInput(`${field}.servicePort`, undefined, `is not set, and the platform has no service "${name}"`, 'Give the port of the Service');
      }
      routes.push({
        ...route(name, endpoint, service.serviceName ?? serviceName, service.servicePort),
        ...service.podPort !== undefined && { podPort: service.podPort },
      });
    });
    routes.push(...furtherRoutes(props.furtherEntries ?? [], routes[0], routes.find(({ name }) => name === KONNECTIVITY_ROUTE)));
    validateDistinct(routes);
    validateHostsOfEntries(routes);
    return routes;
  }

  /** The shared address leads to the API server by host on some ports, and by port on others. */
  private buildPortRoute(): PassthroughRoute | undefined {
    if (this.kubernetesService._kind !== 'port' || !this.kubernetesEndpoint) {
      return undefined;
    }
    const { port } = this.kubernetesEndpoint;
    const other = this.routes.find(route => route.port === port && !route.ownAddress);
    if (other) {
      throw invalidInput('kubernetesService.port', port, `is also the public port of ${other.name}, which is found by its SNI host`, 'Give a port that nothing else of the shared address has');
    }
    const { ownAddress: _, ...api } = this.routes[0];
    return { ...api, name: KUBERNETES_SERVICE_ROUTE, port };
  }

  /** An address of its own leads to the API server whatever else is at the port. */
  private buildAddressRoute(): PassthroughRoute | undefined {
    if (this.kubernetesService._kind !== 'ipv6-address' || !this.kubernetesEndpoint) {
      return undefined;
    }
    const { ownAddress: _, ...api } = this.routes[0];
    return { ...api, name: KUBERNETES_SERVICE_ROUTE, port: this.kubernetesEndpoint.port };
  }

  private buildCertSans(additional: string[]): string[] {
    additional.forEach((san, i) => {
      // Unlike a route, a certificate may carry addresses, single labels and wildcards (kubeadm's rule).
      if (!ipFamily(san)) {
        validateDnsName(`certSans[${i}]`, san.replace(/^\*\./, ''));
      }
    });
    const konnectivity = this.konnectivity ? [this.konnectivity.host] : [];
    const further = this.routes.filter(({ entry }) => entry !== undefined).map(({ hostname }) => hostname);
    return [...new Set([this.api.host, ...konnectivity, ...this.inClusterNames, ...additional, ...further])];
  }
}

function hostnameOf(props: ExposureProps, field: string, service: string, explicit?: string): string {
  if (explicit !== undefined) {
    return validateHostname(field, explicit);
  }
  if (props.domain === undefined) {
    throw invalidInput(field, undefined, 'is not set and cannot be derived', `Give "domain", e.g. "example.com", of which hosts are made, or ${field}`);
  }
  const { name, namespace } = props;
  const domain = validateHostname('domain', props.domain);
  return (props.hostnamePattern ?? HostnamePattern.steward()).hostname({ name, namespace, service, domain });
}

/** jsii knows no read-only arrays; a change would reach only a part of the output. */
function frozen<T>(items: T[]): T[] {
  return Object.freeze([...items]) as T[];
}

function validateDistinct(routes: PassthroughRoute[]): void {
  const names = new Map<string, PassthroughRoute>();
  const hosts = new Map<string, PassthroughRoute>();
  for (const route of routes) {
    if (names.has(route.name)) {
      throw invalidInput('tlsServices', route.name, 'is used for two routes of this control plane', 'Give every TLS service a name of its own');
    }
    names.set(route.name, route);
    const address = `${route.hostname}:${route.port}`;
    const other = hosts.get(address);
    if (other) {
      throw invalidInput(route.name, address, `is also the endpoint of ${other.name}; a shared address routes on the SNI host alone`,
        `Give ${route.name} a host of its own`);
    }
    hosts.set(address, route);
  }
}

