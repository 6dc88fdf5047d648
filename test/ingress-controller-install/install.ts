import { Chart, Testing } from 'cdk8s';
import { HelmDelivery, IngressController, IngressControllerInstall, IngressControllerInstallProps, Warnings } from '../../src';

/** The newest releases of the charts that were read, by the type of the controller. */
export const NEWEST: { readonly [type: string]: string } = {
  'traefik': '41.3.0',
  'haproxy': '1.52.1',
  'haproxy-ingress': '0.16.1',
  'ingress-nginx': '4.15.1',
  'f5-nginx': '2.6.4',
};

/** Installs a controller by Flux, or as a test says, in a chart of its own. */
export function install(controller: IngressController, props: Partial<IngressControllerInstallProps> = {}) {
  const chart = new Chart(Testing.app(), 'management');
  const construct = new IngressControllerInstall(chart, 'edge', {
    controller, chartVersion: NEWEST[controller.type] ?? '1.0.0', namespace: 'ingress', delivery: HelmDelivery.flux(), ...props,
  });
  return { construct, values: construct.values, manifests: Testing.synth(chart) as any[], warnings: Warnings.of(chart) };
}
