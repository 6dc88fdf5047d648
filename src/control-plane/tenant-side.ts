import { IConstruct } from 'constructs';
import { Exposure } from '../model/exposure';
import { ControlPlanePlatform, IApiServerSettings } from '../platforms/control-plane-platform';
import { ManagementCluster } from '../synthesis/management-cluster';
import { Warnings } from '../synthesis/warnings';
import { InvalidInputError, invalidInput } from '../validation/invalid-input';

/** How a tcp-proxy, or another object of the tenant, takes part in `default/kubernetes` of the tenant cluster. */
export interface TenantSideAttachment {
  readonly endpointsOwnedByTcpProxy: boolean;
  readonly advertiseAddress?: string;
}

/**
 * What the tenant cluster's objects ask of their control plane.
 *
 * The one value that flows backwards, from tenant to management objects: a tcp-proxy is constructed after
 * its control plane, and the API server's flags depend on it.
 */
export class TenantSide implements IApiServerSettings {
  /** The tenant side of the control plane that made the exposure; undefined for an exposure made by hand. */
  public static of(exposure: Exposure): TenantSide | undefined {
    return tenantSides.get(exposure);
  }

  private holder?: IConstruct;
  private attachment?: TenantSideAttachment;

  public constructor(
    private readonly controlPlane: IConstruct,
    private readonly platform: ControlPlanePlatform | undefined,
    private readonly exposure: Exposure,
    /** The cluster of the control plane. */
    public readonly managementCluster: ManagementCluster,
    /** Refuses an attachment that the API server does not fit, where nobody here can change it. */
    private readonly requireFit?: (attachment: TenantSideAttachment) => void,
  ) {
    tenantSides.set(exposure, this);
    this.validatePath();
    controlPlane.node.addValidation({ validate: () => this.errors() });
  }

  public get endpointsOwnedByTcpProxy(): boolean {
    return this.attachment?.endpointsOwnedByTcpProxy ?? false;
  }

  public get advertiseAddress(): string | undefined {
    return this.attachment?.advertiseAddress ?? (this.writtenByApiServer ? this.exposure.kubernetesEndpoint?.addresses[0] : undefined);
  }

  /**
   * Refuses a tcp-proxy that could not work whatever its properties are, so that no other error sends its user astray.
   *
   * @param advertiseAddress the address that the API server would advertise for it
   */
  public requirePossible(advertiseAddress?: string): void {
    if (this.platform?.bringsTcpProxy) {
      const { displayName, _tcpProxyProperty: property } = this.platform;
      throw this.refused(`has tcp-proxies of its platform (${displayName}), and two would fight over default/kubernetes`,
        `Leave out this TcpProxyAddon${property === undefined ? '' : `, or the ${property} property of the platform`}`);
    }
    if (this.holder) {
      throw this.refused(`already has ${this.holder.node.path}; two writers would fight over default/kubernetes`, 'Remove one of them');
    }
    if (advertiseAddress !== undefined) {
      this.platform?._validateAdvertiseAddress(advertiseAddress);
    }
  }

  /** Called once by the tcp-proxy of the tenant, or by its endpoints; a second writer of `default/kubernetes` is an error. */
  public attach(writer: IConstruct, attachment: TenantSideAttachment): void {
    this.requirePossible(attachment.advertiseAddress);
    this.requireFit?.(attachment);
    this.holder = writer;
    this.attachment = attachment;
  }

  /** Refuses a path to the Service `kubernetes` that the platform cannot have. */
  private validatePath(): void {
    const { kubernetesEndpoint, portRoute } = this.exposure;
    if (!kubernetesEndpoint) {
      return;
    }
    const [address] = kubernetesEndpoint.addresses;
    if (this.platform?.bringsTcpProxy) {
      const { displayName, _tcpProxyProperty: property } = this.platform;
      throw invalidInput('kubernetesService', `${address} port ${kubernetesEndpoint.port}`, `is not where pods are led: ${displayName} brings tcp-proxies of its own`,
        `Leave it out${property === undefined ? '' : `, or the ${property} property of the platform`}`);
    }
    if (!this.writtenByApiServer || !portRoute) {
      return;
    }
    this.platform?._validateAdvertiseAddress(address, 'kubernetesService.writtenByApiServer');
    const { servicePort, podPort = servicePort, port } = portRoute;
    if (podPort !== port) {
      throw invalidInput('kubernetesService.port', port, `differs from ${podPort}, at which the API server listens and which it writes into default/kubernetes`,
        `Have it listen there, e.g. apiPort: ${port} of the platform, or leave writtenByApiServer out`);
    }
    Warnings._add(this.controlPlane, 'kubernetesService.writtenByApiServer: default/kubernetes is empty for up to ten seconds at each graceful stop of an API server, and a ' +
      'changed port is never written while the old one is there. Leave it out and add KubernetesServiceEndpoints, which have neither fault; a running tenant needs that to change its port.');
  }

  /** At synthesis, as the objects of a tenant come after its control plane. */
  private errors(): string[] {
    const { kubernetesEndpoint } = this.exposure;
    if (!kubernetesEndpoint || this.writtenByApiServer || this.holder) {
      return [];
    }
    return [invalidInput('kubernetesService', `${kubernetesEndpoint.addresses[0]} port ${kubernetesEndpoint.port}`,
      'is written to default/kubernetes by nobody, so that pods would not find it',
      'Put it into the chart of the tenant: new KubernetesServiceEndpoints(tenants.of(controlPlane), "kubernetes", { controlPlane })').message];
  }

  private get writtenByApiServer(): boolean {
    return this.exposure.kubernetesService._port?.writtenByApiServer ?? false;
  }

  private refused(reason: string, remedy: string): InvalidInputError {
    const value = this.controlPlane.node.path;
    return new InvalidInputError({ field: 'controlPlane', value, reason, remedy }, `${value} ${reason}. ${remedy}.`);
  }
}

const tenantSides = new WeakMap<Exposure, TenantSide>();
