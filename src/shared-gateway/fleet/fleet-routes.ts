import { documentOf, FleetDocument, FleetFile } from './fleet-document';
import { readFleetFile } from './read-fleet-file';
import { nameFactories } from '../../validation/factories';
import { instance } from '../../validation/props';
import { requireText } from '../../validation/text';
import type { SharedIngressGateway } from '../shared-ingress-gateway';

/** The tenants of a management cluster, for the edge of a fleet. */
export abstract class FleetRoutes {
  /**
   * Those that the app of the cluster has written with FleetExport. The file is checked as what a stranger wrote.
   *
   * @param path of the file, from the current folder or absolute
   */
  public static fromFile(path: string): FleetRoutes {
    return new FileRoutes(requireText('path', path, 'Give the path of the file that FleetExport wrote'));
  }

  /**
   * Those of a gateway in the same app, also the ones that are added to it later.
   *
   * @param gateway that of the cluster, with `edge`
   */
  public static ofGateway(gateway: SharedIngressGateway): FleetRoutes {
    instance<SharedIngressGateway>('Give a SharedIngressGateway', 'haproxyConfig', 'asController')('gateway', gateway);
    return new GatewayRoutes(gateway);
  }

  /** @internal The gateway whose they are, if it is known. */
  public abstract readonly _gateway?: SharedIngressGateway;

  /** @internal Changes when the tenants do. */
  public abstract get _revision(): number;

  /** @internal @throws when they cannot be read */
  public abstract _read(field: string): FleetDocument | FleetFile;
}

class FileRoutes extends FleetRoutes {
  public readonly _gateway = undefined;
  public readonly _revision = 0;

  public constructor(private readonly path: string) {
    super();
  }

  public _read(field: string): FleetFile {
    return readFleetFile(field, this.path);
  }
}

class GatewayRoutes extends FleetRoutes {
  public constructor(public readonly _gateway: SharedIngressGateway) {
    super();
  }

  public get _revision(): number {
    return this._gateway._tenants.revision;
  }

  public _read(): FleetDocument {
    return documentOf(this._gateway);
  }
}

nameFactories(FleetRoutes);
