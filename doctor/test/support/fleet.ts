import { Tenant } from './tenant';
import { DnsServer } from '../../../test/data-path/support/dns-server';
import { freePorts } from '../../../test/support/ports';

/** A control plane whose port is its own. */
export function hostedCluster(name: string, address: string, port: number, namespace = 'clusters'): string {
  return JSON.stringify({
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name, namespace },
    spec: { services: [{ service: 'APIServer', servicePublishingStrategy: { type: 'NodePort', nodePort: { address, port } } }] },
  });
}

/** A control plane that no host leads to. */
export const BEHIND_A_LOAD_BALANCER = JSON.stringify({
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'HostedCluster',
  metadata: { name: 'apart', namespace: 'clusters' },
  spec: { services: [{ service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } }] },
});

/** Manifests of tenants, and flags that lead to them. */
export interface Fleet {
  readonly files: { [name: string]: string };
  readonly flags: string[];
}

/** Two tenants that answer, one whose port nobody listens on, and one that has no host. */
export async function fleet(): Promise<Fleet> {
  const dns = await DnsServer.start();
  const tenants = await Promise.all(['one', 'two'].map(name => Tenant.create(name)));
  const [nobody] = await freePorts(1);
  const files: { [name: string]: string } = {
    'down.yaml': hostedCluster('down', 'down.k8s.example.com', nobody),
    'apart.yaml': BEHIND_A_LOAD_BALANCER,
  };
  dns.records.set('down.k8s.example.com', ['127.0.0.1']);
  for (const [i, tenant] of tenants.entries()) {
    dns.records.set(tenant.host, ['127.0.0.1']);
    files[`${i}.yaml`] = hostedCluster(['one', 'two'][i], tenant.host, tenant.api.port);
    files[`ca/clusters/${['one', 'two'][i]}.crt`] = tenant.ca.certificate;
  }
  files['ca/clusters/down.crt'] = tenants[0].ca.certificate;
  return { files, flags: ['--resolver', `127.0.0.1:${dns.port}`, '--timeout', '10s'] };
}
