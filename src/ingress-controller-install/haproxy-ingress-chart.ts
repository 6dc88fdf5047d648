import { ControllerChart, serviceValues } from './controller-chart';
import { HAPROXY_INGRESS_CHART_FACTS } from '../versions/charts';

/** haproxy-ingress/charts, `haproxy-ingress/values.yaml`. */
export const HAPROXY_INGRESS_CHART: ControllerChart = {
  name: 'haproxy-ingress',
  repository: 'https://haproxy-ingress.github.io/charts',
  facts: HAPROXY_INGRESS_CHART_FACTS,
  proxyProtocolWarning: 'haproxy-ingress takes a PROXY protocol header from anyone (use-proxy-protocol): ' +
    'make sure that only the load balancer reaches its pods, or clients can claim any address.',
  values: ({ replicas, service, publicPort, proxyProtocolTrustedCidrs }) => ({
    controller: {
      replicaCount: replicas,
      service: { ...serviceValues(service), httpsPorts: [{ port: publicPort, targetPort: 'https' }] },
      config: proxyProtocolTrustedCidrs && { 'use-proxy-protocol': 'true' },
    },
  }),
};
