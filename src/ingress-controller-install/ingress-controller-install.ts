import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { chartOf } from './controller-charts';
import { ControllerService } from './controller-service';
import { HelmDelivery } from './helm-delivery';
import { mergeHelmValues, refuseNulls } from './helm-values';
import { refuseIgnoredValues } from './ignored-values';
import { CONTROLLER } from '../control-plane/control-plane-checks';
import { IngressController } from '../controllers/ingress-controller';
import { deepCopy } from '../objects/deep-copy';
import { ManagementCluster } from '../synthesis/management-cluster';
import { claimObjects } from '../synthesis/object-claims';
import { Warnings } from '../synthesis/warnings';
import { invalidInput, placed } from '../validation/invalid-input';
import { validateNetwork } from '../validation/ip-network';
import { validateJsonObject } from '../validation/json-value';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { Checks, checkProps, instance, listOf, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateLine, validateText } from '../validation/text';
import { wholeNumber } from '../validation/whole-number';
import { checkVersion, validateVouchedVersion } from '../versions/version-facts';

/** The installation of one ingress controller. */
export interface IngressControllerInstallProps {
  /** The controller that control planes use: Traefik, HAProxy (both), ingress-nginx or F5 NGINX. */
  readonly controller: IngressController;
  /**
   * Version of the controller's Helm chart, e.g. `41.3.0`. One exact version: what runs changes with a commit, not with
   * what a repository offers that day. The names of the values follow it.
   */
  readonly chartVersion: string;
  /** Namespace of the controller. Flux and Argo CD make it; for `HelmDelivery.cdk8sHelm()` it must exist. */
  readonly namespace: string;
  /** Who installs the chart. */
  readonly delivery: HelmDelivery;
  /**
   * Name of the release, at most 53 characters.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * The controller's Service.
   * @default ControllerService.loadBalancer()
   */
  readonly service?: ControllerService;
  /**
   * Pods of the controller.
   * @default 2
   */
  readonly replicas?: number;
  /**
   * Networks of a load balancer that sends the PROXY protocol, in CIDR notation. The load balancer must send it then, on every
   * port, and what else connects from these networks too.
   * @default - none; connections start with TLS
   */
  readonly proxyProtocolTrustedCidrs?: string[];
  /**
   * URL of the chart's repository, e.g. of a mirror: of an index (`https://…`), or of a folder of an OCI registry (`oci://…`).
   * @default - where the controller's makers publish it
   */
  readonly chartRepository?: string;
  /**
   * The newest version of the chart that you know to work with the values that are written here, e.g. `42`, where that is newer
   * than the newest that this library knows. There is no warning up to it then, and an error for what is newer.
   * @default - what this library knows, see docs/upgrading.md
   */
  readonly newestChartVersion?: string;
  /**
   * Further values for the chart, which win over all others.
   * @default - none
   */
  readonly values?: { [key: string]: any };
  /**
   * Labels for the objects that stand for the release; the chart's own have those that its values say.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

const CHECKS: Checks<IngressControllerInstallProps> = {
  controller: CONTROLLER,
  chartVersion: validateVersion,
  namespace: validateDns1123Label,
  delivery: instance<HelmDelivery>('Give one, e.g. HelmDelivery.flux()', 'bind'),
  name: optional(validateReleaseName),
  service: optional(instance<ControllerService>('Give one, e.g. ControllerService.loadBalancer()', '_type')),
  replicas: optional(wholeNumber('pods', 1)),
  proxyProtocolTrustedCidrs: optional(listOf(validateNetwork)),
  chartRepository: optional(validateRepository),
  newestChartVersion: validateVouchedVersion,
  values: optional(validateJsonObject),
  labels: optional(validateLabels),
};

/** Helm's own limit. */
const MAX_RELEASE_NAME = 53;

/**
 * Installs an ingress controller with TLS passthrough on, once for all control planes behind it. Belongs into a chart for
 * the management cluster.
 *
 * The values come from the controller's own `helmValues()`, so its class and ports are those of the routes.
 *
 * @example
 * const edge = new IngressControllerInstall(management, 'edge', {
 *   controller: IngressController.traefik(),
 *   chartVersion: '41.3.0',
 *   namespace: 'traefik',
 *   delivery: HelmDelivery.flux(),
 * });
 * const controller = edge.controller;
 */
export class IngressControllerInstall extends Construct {
  /** The controller, to give to control planes. */
  public readonly controller: IngressController;
  /** The complete values for the chart. */
  public readonly values: { [key: string]: any };
  /** The objects that bring the controller about; patch them for what has no property. */
  public readonly objects: ApiObject[];

  public constructor(scope: Construct, id: string, props: IngressControllerInstallProps) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give controller, chartVersion, namespace and delivery'), CHECKS);
      const { controller, delivery, chartVersion } = props;
      const chart = chartOf(controller);
      const { proxyProtocolTrustedCidrs, values: userValues = {} } = props;
      validateNetworks(proxyProtocolTrustedCidrs);
      refuseNulls('values', userValues);

      checkVersion(this, 'chartVersion', chartVersion, chart.facts.versions, props.newestChartVersion);

      this.controller = controller;
      const controllerValues = controller.helmValues();
      this.values = mergeHelmValues(controllerValues, chart.values({
        chartVersion,
        replicas: props.replicas ?? 2,
        service: props.service ?? ControllerService.loadBalancer(),
        publicPort: controller.publicPort,
        proxyProtocolTrustedCidrs,
        controllerValues,
      }), deepCopy(userValues));
      refuseIgnoredValues('values', this.values, chart.name, chartVersion, chart.facts.moved);
      controller.warnings.forEach(text => Warnings._add(this, text));
      if (proxyProtocolTrustedCidrs && chart.proxyProtocolWarning) {
        Warnings._add(this, chart.proxyProtocolWarning);
      }
      this.objects = delivery.bind(this, {
        name: validateReleaseName('name', props.name ?? id),
        namespace: props.namespace,
        chart: chart.name,
        repository: (props.chartRepository ?? chart.repository).replace(/\/+$/, ''),
        version: chartVersion,
        values: this.values,
        labels: props.labels,
      });
      claimObjects(this, ManagementCluster.of(this).name);
    } catch (error) {
      throw placed(this, error);
    }
  }
}

function validateReleaseName(field: string, name: string): string {
  if (validateDns1123Label(field, name).length > MAX_RELEASE_NAME) {
    throw invalidInput(field, name, `is ${name.length} characters long; Helm allows ${MAX_RELEASE_NAME}`, 'Shorten it');
  }
  return name;
}

function validateRepository(field: string, repository: string): string {
  if (!/^(https?|oci):\/\/[^/\s]\S*$/.test(validateLine(field, repository)) || !URL.canParse(repository)) {
    throw invalidInput(field, repository, 'is not the URL of a chart repository', 'Write "https://…" for an index or "oci://…" for a folder of a registry');
  }
  return repository;
}

function validateVersion(field: string, version: string): string {
  if (!/^v?\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$/.test(validateText(field, version))) {
    throw invalidInput(field, version, 'is not one exact version', 'Give major, minor and patch, e.g. "41.3.0"');
  }
  return version;
}

function validateNetworks(cidrs?: string[]): void {
  if (cidrs?.length === 0) {
    throw invalidInput('proxyProtocolTrustedCidrs', cidrs, 'is empty', 'Leave it out for connections without PROXY protocol, or list the networks of the load balancer');
  }
}
