import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { ArgoCdHelmDeliveryProps } from './argo-cd-helm-delivery';
import type { Cdk8sHelmDeliveryProps } from './cdk8s-helm-delivery';
import type { FluxHelmDeliveryProps } from './flux-helm-delivery';
import { nameFactories } from '../validation/factories';

/** A chart with its values: what is to run in the cluster. */
export interface HelmChartRelease {
  /** Name of the release, and of the objects that stand for it. */
  readonly name: string;
  /** Namespace that the chart's objects go to. */
  readonly namespace: string;
  /** Name of the chart. */
  readonly chart: string;
  /** URL of its repository: of an index (`https`), or of a folder of an OCI registry (`oci`). */
  readonly repository: string;
  /** Version of the chart. */
  readonly version: string;
  /** Values for the chart. */
  readonly values: { [key: string]: any };
  /**
   * Labels for the objects that stand for the release.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

/**
 * Who turns a Helm chart into objects of the cluster.
 *
 * Subclass it for an engine that has no class here.
 */
export abstract class HelmDelivery {
  /** Flux: a HelmRelease (`helm.toolkit.fluxcd.io/v2`) and its HelmRepository or OCIRepository, as of Flux 2.6. */
  public static flux(props: FluxHelmDeliveryProps = {}): HelmDelivery {
    const { FluxHelmDelivery } = require('./flux-helm-delivery') as typeof import('./flux-helm-delivery');
    return new FluxHelmDelivery(props);
  }

  /** Argo CD: an Application with a Helm source. */
  public static argoCd(props: ArgoCdHelmDeliveryProps = {}): HelmDelivery {
    const { ArgoCdHelmDelivery } = require('./argo-cd-helm-delivery') as typeof import('./argo-cd-helm-delivery');
    return new ArgoCdHelmDelivery(props);
  }

  /**
   * cdk8s itself, by the program `helm` at synthesis: the output holds the chart's own objects. The machine that
   * synthesizes must have the program and reach the chart's repository.
   */
  public static cdk8sHelm(props: Cdk8sHelmDeliveryProps = {}): HelmDelivery {
    const { Cdk8sHelmDelivery } = require('./cdk8s-helm-delivery') as typeof import('./cdk8s-helm-delivery');
    return new Cdk8sHelmDelivery(props);
  }

  /** Emits the objects that bring the release about, and returns them. */
  public abstract bind(scope: Construct, release: HelmChartRelease): ApiObject[];
}

nameFactories(HelmDelivery);
