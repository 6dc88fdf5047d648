import { readFileSync } from 'fs';
import { join } from 'path';
import { load } from 'js-yaml';

const PAGE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'helm-charts.md'), 'utf8');

/** The values that the page of the charts shows, each with the chart that it is for. */
export const SHOWN = [...PAGE.matchAll(/^```yaml\n# (\S+)\n(.*?)^```/gms)].map(([, chart, values]) => ({ chart, values: load(values) as Record<string, unknown> }));

/** Values for each chart. */
export const EXAMPLES: { readonly [chart: string]: readonly Record<string, unknown>[] } = {
  'shared-ingress-gateway': [
    {
      tenants: [
        { name: 'tenant-01', namespace: 'tenants', host: 'tenant-01.k8s.example.com', konnectivityHost: 'tenant-01.konnectivity.example.com', clusterId: 'tenant-01', allowedCidrs: ['192.0.2.0/24', '2001:db8::/32'] },
        { name: 'tenant-02', namespace: 'tenants', host: 'tenant-02.k8s.example.com', service: 'tenant-02-api', port: 443 },
      ],
      serviceAnnotations: { 'load-balancer.hetzner.cloud/location': 'fsn1' },
    },
    {},
    { externalTrafficPolicy: 'Cluster', ipv6: false, networkPolicy: false, nodePorts: false, loadBalancerClass: 'example.com/metallb', memoryLimit: '1Gi' },
  ],
  'tenant-certificates': [
    {
      namespaces: [
        {
          name: 'tenants',
          tenants: [
            { name: 'tenant-01', platform: 'kamaji', kubernetesServiceIp: '10.96.0.1' },
            { name: 'tenant-02', platform: 'kamaji', kubernetesServiceIp: 'fd00:10:96::1', proxyName: 'proxy', proxyNamespace: 'proxies' },
          ],
        },
        { name: 'more-tenants', tenants: [{ name: 'tenant-01', platform: 'k0smotron', kubernetesServiceIp: '10.96.0.1', clusterDomain: 'cluster.internal' }] },
      ],
    },
    { networkPolicy: true, imagePullSecrets: ['registry'] },
  ],
  'tcp-proxy': [
    { host: 'tenant-01.k8s.example.com', kubernetesServiceIp: '10.96.0.1' },
    { host: 'tenant-01.k8s.example.com', kubernetesServiceIp: 'fd00:10:96::1', placement: 'everyNode', memoryLimit: '1Gi' },
  ],
};
