import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { HelmChartRelease, HelmDelivery } from './helm-delivery';
import {
  HelmRelease, HelmReleaseSpec, HelmReleaseSpecChartRefKind, HelmReleaseSpecChartSpecSourceRefKind, HelmReleaseSpecInstallCrds,
  HelmReleaseSpecUpgradeCrds,
} from '../imports/helm.toolkit.fluxcd.io';
import { HelmRepository, OciRepository, OciRepositorySpecLayerSelectorOperation } from '../imports/source.toolkit.fluxcd.io';
import { requireDuration } from '../validation/duration';
import { validateDns1123Label } from '../validation/name';
import { Checks, optional, struct } from '../validation/props';
import { wholeNumber } from '../validation/whole-number';

/** For Flux. */
export interface FluxHelmDeliveryProps {
  /**
   * Namespace of Flux' objects; it must exist. The chart's own namespace is made by Flux.
   * @default flux-system
   */
  readonly namespace?: string;
  /**
   * How often Flux compares the cluster with the release, and asks for the chart, in Flux' notation, e.g. `10m`.
   * @default 10m
   */
  readonly interval?: string;
  /**
   * How often Flux tries again after a failed installation or upgrade; -1 is without end.
   * @default 3
   */
  readonly retries?: number;
}

const CHECKS: Checks<FluxHelmDeliveryProps> = {
  namespace: optional(validateDns1123Label),
  interval: optional(requireDuration),
  retries: optional(wholeNumber('tries', -1)),
};

/** The layer of an OCI artifact that holds a chart; copied as it is, since Helm wants the archive. */
const CHART_LAYER = {
  mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
  operation: OciRepositorySpecLayerSelectorOperation.COPY,
};

/** A HelmRelease and the source of its chart. */
export class FluxHelmDelivery extends HelmDelivery {
  private readonly namespace: string;
  private readonly interval: string;
  private readonly retries: number;

  public constructor(props: FluxHelmDeliveryProps) {
    super();
    struct(CHECKS)('delivery', props);
    this.namespace = props.namespace ?? 'flux-system';
    this.interval = props.interval ?? '10m';
    this.retries = props.retries ?? 3;
  }

  public bind(scope: Construct, release: HelmChartRelease): ApiObject[] {
    const metadata = { name: release.name, namespace: this.namespace, labels: release.labels };
    const [source, chart] = release.repository.startsWith('oci://')
      ? this.fromOciRegistry(scope, metadata, release)
      : this.fromIndex(scope, metadata, release);
    const helmRelease = new ApiObject(scope, 'release', HelmRelease.manifest({
      metadata,
      spec: {
        ...chart,
        interval: this.interval,
        releaseName: release.name,
        targetNamespace: release.namespace,
        // Beside the chart's objects, where the helm program looks for it.
        storageNamespace: release.namespace,
        install: { createNamespace: true, crds: HelmReleaseSpecInstallCrds.CREATE, remediation: { retries: this.retries } },
        // Helm itself never upgrades them, so a newer controller would meet definitions that lack its fields.
        upgrade: { crds: HelmReleaseSpecUpgradeCrds.CREATE_REPLACE, remediation: { retries: this.retries } },
        values: release.values,
      },
    }));
    return [source, helmRelease];
  }

  private fromIndex(scope: Construct, metadata: ApiObjectMetadata, release: HelmChartRelease): [ApiObject, Partial<HelmReleaseSpec>] {
    const source = new ApiObject(scope, 'source', HelmRepository.manifest({ metadata, spec: { url: release.repository, interval: this.interval } }));
    const sourceRef = { kind: HelmReleaseSpecChartSpecSourceRefKind.HELM_REPOSITORY, name: release.name };
    return [source, { chart: { spec: { chart: release.chart, version: release.version, sourceRef } } }];
  }

  private fromOciRegistry(scope: Construct, metadata: ApiObjectMetadata, release: HelmChartRelease): [ApiObject, Partial<HelmReleaseSpec>] {
    const source = new ApiObject(scope, 'source', OciRepository.manifest({
      metadata,
      spec: {
        url: `${release.repository}/${release.chart}`,
        interval: this.interval,
        layerSelector: CHART_LAYER,
        ref: { tag: ociTag(release.version) },
      },
    }));
    return [source, { chartRef: { kind: HelmReleaseSpecChartRefKind.OCI_REPOSITORY, name: release.name } }];
  }
}

/** Tags cannot have a `+`; Helm writes `_` instead. */
function ociTag(version: string): string {
  return version.replace('+', '_');
}
