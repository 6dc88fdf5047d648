import type { Scenario } from './scenario';
import { putBundle, recordOf, removeBundle } from './tenant-bundle';
import { HELD_BY } from '../../../../../src/agent/contract/bundle';
import { GONE, notReady, notSynced } from '../fault-state';
import { TENANT, TENANT_STATUS } from '../world';

const SYSTEM = '/api/v1/namespaces/kube-system';
const SECRET = `${SYSTEM}/secrets/tcp-proxy-tls`;
const CONFIG_MAP = `${SYSTEM}/configmaps/tcp-proxy-ca`;

/** A `sync` that keeps a certificate of a tunnel alone, which others make in the management cluster. */
export const CERTIFICATES: Scenario = {
  name: 'certificates alone',
  sizes: { nodes: 0, gateways: 0, syncs: 1, syncFlags: { certificatesOnly: true, secretsInterval: '15s', caOverlap: '30s' } },
  play: (world, { authority, other, clients }) => {
    const { machines, tenant, management } = world;
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    let [pair, phase]: [typeof clients[0], string] = [clients[0], 'Synced'];
    const source = (ca: string) => management.byOthers(() => {
      management.put(`/api/v1/namespaces/tenants/secrets/${TENANT}-tunnel`, { data: { 'tls.crt': base64(pair.certificate), 'tls.key': base64(pair.key) } });
      management.put(`/api/v1/namespaces/tenants/secrets/${TENANT}-gateway-ca`, { data: { 'ca.crt': base64(ca) } });
    });
    const bundle = () => putBundle(world, [], {
      settings: {
        parts: 1,
        certificate: {
          kind: 'copy',
          purpose: 'client',
          namespace: 'kube-system',
          secretName: 'tcp-proxy-tls',
          caConfigMapName: 'tcp-proxy-ca',
          ca: { secretName: `${TENANT}-gateway-ca`, certificateKey: 'ca.crt' },
          source: { secretName: `${TENANT}-tunnel`, certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
        },
      },
      partsThere: 1,
    });
    const take = (holder: string) => tenant.byOthers(() => {
      const configMap = tenant.object(CONFIG_MAP)!;
      const annotations = { ...configMap.metadata.annotations, [HELD_BY]: holder };
      tenant.put(CONFIG_MAP, { ...configMap, metadata: { ...configMap.metadata, annotations } });
    });
    return {
      steps: [
        [() => {
          source(authority.certificate);
          bundle();
          machines.start();
        }, 12_000],
        [() => {
          pair = clients[1];
          source(authority.certificate);
        }, 20_000],
        [() => source(other.certificate), 60_000],
        [() => {
          take('another');
          // It is looked at with the next change.
          source(other.certificate);
          phase = 'Moved';
        }, 20_000],
        [() => {
          management.byOthers(() => management.remove(TENANT_STATUS));
          phase = 'Synced';
        }, 5_000],
        [() => {
          removeBundle(world);
          phase = GONE;
        }, 5_000],
        // What a whole sync left that never wrote anything.
        [() => management.byOthers(() => management.put(TENANT_STATUS, {
          metadata: { labels: { 'app.kubernetes.io/name': 'tenant-status', 'app.kubernetes.io/instance': `tenants.${TENANT}` } },
          data: { 'bundle': `tenants.${TENANT}`, 'phase': 'Synced', 'message': '', 'tenant.json': JSON.stringify(recordOf(TENANT)) },
        })), 5_000],
      ],
      wrong: () => [
        ...notReady(world),
        ...notSynced(world, phase),
        ...phase === GONE || tenant.object(SECRET)?.data['tls.crt'] === base64(pair.certificate) ? [] : ['the tenant has another certificate'],
        ...phase === GONE && (tenant.object(SECRET) ?? tenant.object(CONFIG_MAP)) ? ['not all is taken away'] : [],
      ],
    };
  },
};
