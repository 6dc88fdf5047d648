import { App, Chart } from 'cdk8s';
import { Exposure, SharedIngressGateway } from '../../src';

/*
 * Synthesizes a gateway with tenants as the arguments ask, COUNT PORT OUTDIR, and prints what that took. Every tenant
 * has an API server, konnectivity and a cluster ID, every tenth a list of sources; all Services have the port.
 */
const [count, port, outdir] = process.argv.slice(2);
const start = performance.now();
const app = new App({ outdir });
const gateway = new SharedIngressGateway(new Chart(app, 'management'), 'edge', { namespace: 'shared-ingress' });
for (let i = 0; i < Number(count); i++) {
  gateway.register(new Exposure({
    name: `tenant-${i}`,
    namespace: `tenant-${i}`,
    hostname: `tenant-${i}.k8s.example.com`,
    konnectivity: { hostname: `tenant-${i}.konnectivity.example.com` },
    clusterId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    backend: { serviceName: 'kube-apiserver', apiPort: Number(port) },
  }), i % 10 === 0 ? { allowedCidrs: ['127.0.0.0/8', '10.0.0.0/8', '2001:db8::/32'] } : {});
}
app.synth();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({
  wallMs: Math.round(performance.now() - start),
  cpuMs: Math.round((user + system) / 1000),
  peakRssMiB: Math.round(process.resourceUsage().maxRSS / 1024),
}));
