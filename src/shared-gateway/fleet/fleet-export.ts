import { mkdirSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { App } from 'cdk8s';
import { Construct } from 'constructs';
import { documentOf, fleetFileText } from './fleet-document';
import { validateGatewayAddress } from './fleet-props';
import { afterSynthesis } from '../../synthesis/after-synthesis';
import { Claims } from '../../synthesis/claims';
import { fileNameOf, outputFolderOf } from '../../synthesis/output-folder';
import { invalidInput, placed } from '../../validation/invalid-input';
import { validateDns1123Label } from '../../validation/name';
import { Checks, checkProps, instance, optional } from '../../validation/props';
import { required } from '../../validation/required';
import { validateLine, validateText } from '../../validation/text';
import type { SharedIngressGateway } from '../shared-ingress-gateway';

/** What is told to the edge of a fleet. */
export interface FleetExportProps {
  /** The gateway of this cluster, with `edge`. */
  readonly gateway: SharedIngressGateway;
  /** Name of this cluster in the fleet: a DNS label. */
  readonly cluster: string;
  /** Address or DNS name of the gateway, as the edge reaches it. */
  readonly address: string;
  /**
   * Folder that the file is written to, from the app's output folder, or absolute. Not the output folder itself, where `kubectl apply -f` would take it
   * for a manifest.
   * @default fleet
   */
  readonly folder?: string;
  /**
   * Name of the file, without extension.
   * @default - the name of the cluster
   */
  readonly fileName?: string;
}

const CHECKS: Checks<FleetExportProps> = {
  gateway: instance<SharedIngressGateway>('Give a SharedIngressGateway with edge', 'haproxyConfig', 'asController'),
  cluster: validateDns1123Label,
  address: validateGatewayAddress,
  folder: optional(validateLine),
  fileName: optional(validateText),
};

/**
 * Writes the tenants of a gateway as a file for the app of the edge, which takes it with FleetRoutes.fromFile(): hosts, cluster IDs and ports, no secret. It
 * is written when the app is synthesized; with `cdk8s synth --stdout` nothing is.
 */
export class FleetExport extends Construct {
  /** Path of the file. */
  public readonly file: string;
  private readonly props: FleetExportProps;

  /** @throws when a property cannot work, with the field, its value, the reason and the remedy */
  public constructor(scope: Construct, id: string, props: FleetExportProps) {
    super(scope, id);
    try {
      this.props = checkProps('', required('props', props, 'Give gateway, cluster and address'), CHECKS);
      const { gateway, cluster } = this.props;
      if (gateway.edgePort === undefined) {
        throw invalidInput('gateway', gateway.node.path, 'has no port for the edge of a fleet', 'Give it edge with the networks of the edge');
      }
      const app = App.of(this);
      const folder = outputFolderOf(app, props.folder ?? 'fleet');
      this.file = join(folder.path, `${fileNameOf(props.fileName ?? cluster)}.json`);
      Claims.of(this).claim('file', this.file, this, 'One would overwrite the other: give each a fileName of its own');
      if (folder.isWritten) {
        afterSynthesis(app, () => {
          mkdirSync(dirname(this.file), { recursive: true });
          writeFileSync(this.file, this.text());
        });
      }
    } catch (error) {
      throw placed(this, error);
    }
  }

  /** What the file holds, with the tenants that there are now. */
  public text(): string {
    const { gateway, cluster, address } = this.props;
    return fleetFileText({ cluster, gateway: { address, port: gateway.edgePort! }, ...documentOf(gateway) });
  }
}
