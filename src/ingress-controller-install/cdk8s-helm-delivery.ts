import { ApiObject, Helm } from 'cdk8s';
import { Construct } from 'constructs';
import { HelmChartRelease, HelmDelivery } from './helm-delivery';
import { invalidInput } from '../validation/invalid-input';
import { Checks, listOf, optional, struct } from '../validation/props';
import { validateLine } from '../validation/text';

/** For cdk8s' own `Helm`. */
export interface Cdk8sHelmDeliveryProps {
  /**
   * The program.
   * @default helm
   */
  readonly helmExecutable?: string;
  /**
   * Further arguments for `helm template`, e.g. `--kube-version=1.32.0`, which charts look at.
   * @default - none
   */
  readonly helmFlags?: string[];
}

const CHECKS: Checks<Cdk8sHelmDeliveryProps> = { helmExecutable: optional(validateLine), helmFlags: optional(listOf(validateLine)) };

/** The chart's objects themselves, rendered at synthesis. */
export class Cdk8sHelmDelivery extends HelmDelivery {
  private readonly helmExecutable: string;
  private readonly helmFlags: string[];

  public constructor(props: Cdk8sHelmDeliveryProps) {
    super();
    struct(CHECKS)('delivery', props);
    this.helmExecutable = props.helmExecutable ?? 'helm';
    this.helmFlags = props.helmFlags ?? [];
  }

  public bind(scope: Construct, release: HelmChartRelease): ApiObject[] {
    // Helm takes the URL of a registry with the chart, and that of an index beside it.
    const chart = release.repository.startsWith('oci://')
      ? { chart: `${release.repository}/${release.chart}` }
      : { chart: release.chart, repo: release.repository };
    return this.render(() => new Helm(scope, 'chart', {
      ...chart,
      version: release.version,
      namespace: release.namespace,
      releaseName: release.name,
      values: release.values,
      helmExecutable: this.helmExecutable,
      // `helm template` leaves out definitions of custom resources unless told otherwise.
      helmFlags: ['--include-crds', ...this.helmFlags],
    }), release).apiObjects;
  }

  private render(helm: () => Helm, { chart, version, repository }: HelmChartRelease): Helm {
    try {
      return helm();
    } catch (error) {
      const { message } = error as Error;
      if (message.startsWith('unable to execute')) {
        throw invalidInput('delivery.helmExecutable', this.helmExecutable, 'is not a program on this machine',
          'Install Helm 3 or give its path, or use HelmDelivery.flux() or HelmDelivery.argoCd(), which render in the cluster');
      }
      const reason = `cannot be rendered by helm: ${message.trim()}`;
      throw invalidInput('delivery', `${chart} ${version} of ${repository}`, reason, 'Try it with "helm template" on this machine');
    }
  }
}
