import { ControllerChart, serviceValues } from './controller-chart';
import { HAPROXY_CHART_FACTS } from '../versions/charts';

/** haproxytech/helm-charts, `kubernetes-ingress/values.yaml`. */
export const HAPROXY_CHART: ControllerChart = {
  name: 'kubernetes-ingress',
  repository: 'https://haproxytech.github.io/helm-charts',
  facts: HAPROXY_CHART_FACTS,
  values: ({ replicas, service, publicPort, proxyProtocolTrustedCidrs }) => ({
    controller: {
      replicaCount: replicas,
      service: {
        ...serviceValues(service),
        ports: { https: publicPort },
        // By default the chart shows statistics, metrics and pprof to everyone who reaches the load balancer, and asks
        // for UDP beside TCP, which many clouds refuse.
        enablePorts: service._type === 'LoadBalancer' ? { quic: false, stat: false, admin: false } : { quic: false },
      },
      // haproxytech/kubernetes-ingress, `pkg/handler/proxy-protocol.go`: in force on passthrough connections too.
      config: proxyProtocolTrustedCidrs && { 'proxy-protocol': proxyProtocolTrustedCidrs.join(',') },
    },
  }),
};
