import { ControllerChart } from './controller-chart';
import { ControllerService } from './controller-service';
import { HelmValues } from './helm-values';
import { TRAEFIK_CHART_FACTS, TRAEFIK_SERVICE_IN_SPEC_SINCE } from '../versions/charts';
import { compareVersions } from '../versions/version-facts';

/** traefik/traefik-helm-chart, `traefik/values.yaml` and `traefik/templates/_service.tpl`. */
export const TRAEFIK_CHART: ControllerChart = {
  name: 'traefik',
  repository: 'https://traefik.github.io/charts',
  facts: TRAEFIK_CHART_FACTS,
  values: ({ chartVersion, replicas, service, proxyProtocolTrustedCidrs, controllerValues }) => ({
    deployment: { replicas },
    service: serviceOf(service, chartVersion),
    // A load balancer sends the header to all ports, so also to that of plain HTTP.
    ports: proxyProtocolTrustedCidrs && Object.fromEntries([...new Set(['web', ...Object.keys(controllerValues.ports)])]
      .map(entryPoint => [entryPoint, { proxyProtocol: { trustedIPs: proxyProtocolTrustedCidrs } }])),
  }),
};

/**
 * `service.spec` becomes the Service's spec as it is. Beside it, older charts write a type and source ranges of their own
 * keys, so these must not be there twice; newer ones know no other place, and ignore the old keys without an error.
 */
function serviceOf({ _type: type, _props: props }: ControllerService, chartVersion: string): HelmValues {
  const inSpec = compareVersions(chartVersion, TRAEFIK_SERVICE_IN_SPEC_SINCE) >= 0;
  const ofLoadBalancer = {
    externalTrafficPolicy: props.externalTrafficPolicy,
    loadBalancerIP: props.loadBalancerIp,
    loadBalancerClass: props.loadBalancerClass,
  };
  return inSpec
    ? { annotations: props.annotations, spec: { type, ...ofLoadBalancer, loadBalancerSourceRanges: props.sourceRanges } }
    : {
      type,
      annotations: props.annotations,
      spec: type === 'LoadBalancer' ? ofLoadBalancer : undefined,
      loadBalancerSourceRanges: props.sourceRanges,
    };
}
