import { ControllerChart, serviceValues } from './controller-chart';
import { ControllerService } from './controller-service';
import { HelmValues } from './helm-values';
import { HAPROXY_ADMIN_PORT_SINCE, HAPROXY_CHART_FACTS, HAPROXY_PROMETHEUS_PORT_SINCE, HAPROXY_QUIC_SINCE } from '../versions/charts';
import { compareVersions } from '../versions/version-facts';

/** haproxytech/helm-charts, `kubernetes-ingress/values.yaml`. */
export const HAPROXY_CHART: ControllerChart = {
  name: 'kubernetes-ingress',
  repository: 'https://haproxytech.github.io/helm-charts',
  facts: HAPROXY_CHART_FACTS,
  values: ({ chartVersion, replicas, service, publicPort, proxyProtocolTrustedCidrs }) => ({
    controller: {
      replicaCount: replicas,
      service: {
        ...serviceValues(service),
        ports: { https: publicPort },
        enablePorts: portsTurnedOff(service, chartVersion),
      },
      // haproxytech/kubernetes-ingress, `pkg/handler/proxy-protocol.go`: in force on passthrough connections too.
      config: proxyProtocolTrustedCidrs && { 'proxy-protocol': proxyProtocolTrustedCidrs.join(',') },
    },
  }),
};

/**
 * By default the chart shows statistics, metrics and pprof to everyone who reaches the load balancer, and asks for UDP
 * beside TCP, which many clouds refuse.
 */
function portsTurnedOff({ _type: type }: ControllerService, chartVersion: string): HelmValues {
  const since = (version: string) => compareVersions(chartVersion, version) >= 0;
  const quic = since(HAPROXY_QUIC_SINCE) ? { quic: false } : {};
  if (type !== 'LoadBalancer') {
    return quic;
  }
  const metrics = since(HAPROXY_ADMIN_PORT_SINCE) ? { admin: false } : since(HAPROXY_PROMETHEUS_PORT_SINCE) ? { prometheus: false } : {};
  return { ...quic, stat: false, ...metrics };
}
