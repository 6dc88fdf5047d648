import { Chart, Testing } from 'cdk8s';
import { HelmDelivery, IngressController, IngressControllerInstall, IngressControllerInstallProps, Warnings } from '../../src';

/** Installs a controller by Flux, or as a test says, in a chart of its own. */
export function install(controller: IngressController, props: Partial<IngressControllerInstallProps> = {}) {
  const chart = new Chart(Testing.app(), 'management');
  const construct = new IngressControllerInstall(chart, 'edge', {
    controller, chartVersion: '40.1.2', namespace: 'ingress', delivery: HelmDelivery.flux(), ...props,
  });
  return { construct, values: construct.values, manifests: Testing.synth(chart) as any[], warnings: Warnings.of(chart) };
}
