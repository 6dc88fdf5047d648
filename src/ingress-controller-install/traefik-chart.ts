import { ControllerChart } from './controller-chart';

/** traefik/traefik-helm-chart, `traefik/values.yaml`. `ports.*.expose` is an object since version 27. */
export const TRAEFIK_CHART: ControllerChart = {
  name: 'traefik',
  repository: 'https://traefik.github.io/charts',
  firstMajor: 27,
  values: ({ replicas, service: { _type: type, _props: props }, proxyProtocolTrustedCidrs, controllerValues }) => ({
    deployment: { replicas },
    service: {
      type,
      annotations: props.annotations,
      // What has no value of its own in every version of the chart.
      spec: type === 'LoadBalancer' ? {
        externalTrafficPolicy: props.externalTrafficPolicy,
        loadBalancerIP: props.loadBalancerIp,
        loadBalancerClass: props.loadBalancerClass,
      } : undefined,
      loadBalancerSourceRanges: props.sourceRanges,
    },
    // A load balancer sends the header to all ports, so also to that of plain HTTP.
    ports: proxyProtocolTrustedCidrs && Object.fromEntries(['web', ...Object.keys(controllerValues.ports)]
      .map(entryPoint => [entryPoint, { proxyProtocol: { trustedIPs: proxyProtocolTrustedCidrs } }])),
  }),
};
