import { IConstruct } from 'constructs';
import { Exposure } from '../model/exposure';
import { ControlPlanePlatform, IApiServerSettings } from '../platforms/control-plane-platform';
import { ManagementCluster } from '../synthesis/management-cluster';
import { InvalidInputError } from '../validation/invalid-input';

/** How a tcp-proxy takes part in `default/kubernetes` of the tenant cluster. */
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
    exposure: Exposure,
    /** The cluster of the control plane. */
    public readonly managementCluster: ManagementCluster,
    /** Refuses an attachment that the API server does not fit, where nobody here can change it. */
    private readonly requireFit?: (attachment: TenantSideAttachment) => void,
  ) {
    tenantSides.set(exposure, this);
  }

  public get endpointsOwnedByTcpProxy(): boolean {
    return this.attachment?.endpointsOwnedByTcpProxy ?? false;
  }

  public get advertiseAddress(): string | undefined {
    return this.attachment?.advertiseAddress;
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
    if (advertiseAddress !== undefined) {
      this.platform?._validateAdvertiseAddress(advertiseAddress);
    }
  }

  /** Called once by the tcp-proxy of the tenant; a second writer of `default/kubernetes` is an error. */
  public attach(tcpProxy: IConstruct, attachment: TenantSideAttachment): void {
    this.requirePossible(attachment.advertiseAddress);
    if (this.holder) {
      throw this.refused(`already has the tcp-proxy ${this.holder.node.path}; two proxies would fight over default/kubernetes`, 'Remove one of them');
    }
    this.requireFit?.(attachment);
    this.holder = tcpProxy;
    this.attachment = attachment;
  }

  private refused(reason: string, remedy: string): InvalidInputError {
    const value = this.controlPlane.node.path;
    return new InvalidInputError({ field: 'controlPlane', value, reason, remedy }, `${value} ${reason}. ${remedy}.`);
  }
}

const tenantSides = new WeakMap<Exposure, TenantSide>();
