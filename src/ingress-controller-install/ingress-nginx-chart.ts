import { ControllerChart, serviceValues } from './controller-chart';
import { INGRESS_NGINX_CHART_FACTS } from '../versions/charts';

/** kubernetes/ingress-nginx, `charts/ingress-nginx/values.yaml`, and the keys of its ConfigMap. */
export const INGRESS_NGINX_CHART: ControllerChart = {
  name: 'ingress-nginx',
  repository: 'https://kubernetes.github.io/ingress-nginx',
  facts: INGRESS_NGINX_CHART_FACTS,
  proxyProtocolWarning: 'ingress-nginx takes a PROXY protocol header from anyone (use-proxy-protocol): ' +
    'make sure that only the load balancer reaches its pods, or clients can claim any address.',
  values: ({ replicas, service, publicPort, proxyProtocolTrustedCidrs }) => ({
    controller: {
      replicaCount: replicas,
      service: { ...serviceValues(service), ports: { https: publicPort } },
      config: proxyProtocolTrustedCidrs && { 'use-proxy-protocol': 'true', 'proxy-real-ip-cidr': proxyProtocolTrustedCidrs.join(',') },
    },
  }),
};
