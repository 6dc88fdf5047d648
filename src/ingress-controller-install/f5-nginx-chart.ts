import { ControllerChart, serviceValues } from './controller-chart';
import { F5_NGINX_CHART_FACTS } from '../versions/charts';

/** nginx/kubernetes-ingress, `charts/nginx-ingress/values.yaml`, and the keys of its ConfigMap. */
export const F5_NGINX_CHART: ControllerChart = {
  name: 'nginx-ingress',
  repository: 'oci://ghcr.io/nginx/charts',
  facts: F5_NGINX_CHART_FACTS,
  proxyProtocolWarning: 'F5 NGINX takes a PROXY protocol header from anyone (proxy-protocol; set-real-ip-from decides only whose it believes): ' +
    'make sure that only the load balancer reaches its pods.',
  values: ({ replicas, service, publicPort, proxyProtocolTrustedCidrs }) => ({
    controller: {
      replicaCount: replicas,
      service: { ...serviceValues(service), httpsPort: { port: publicPort } },
      // nginx/kubernetes-ingress#3341: in force on passthrough connections too.
      config: proxyProtocolTrustedCidrs && {
        entries: { 'proxy-protocol': 'True', 'real-ip-header': 'proxy_protocol', 'set-real-ip-from': proxyProtocolTrustedCidrs.join(',') },
      },
    },
  }),
};
