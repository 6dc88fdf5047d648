import type { Scenario } from './scenario';
import { endpoints, putBundle, putGarbage, removeBundle, SETTINGS, WORKLOAD } from './tenant-bundle';
import { HELD_BY } from '../../../../../src/agent/contract/bundle';
import { GONE, notReady, notSynced } from '../fault-state';
import { TENANT, TENANT_STATUS } from '../world';

const SLICE = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const INVENTORY = '/api/v1/namespaces/kube-system/configmaps/tenant-sync-inventory';
const POD = '/api/v1/namespaces/apps/pods/app-1';
const VISITS = '/run/tenant-sync/visits.json';
/** A tenant whose kubeconfig is not there. */
const LOST = 'tenant-02';
const SERVICE_LABEL = { 'kubernetes.io/service-name': 'kubernetes' };
const KEPT = { settings: { kubernetesEndpoints: 'kept' } };

/** The life of a tenant's bundle: it comes in parts, changes, is another's for a while, gives back what it had, and leaves. */
export const DELIVERY: Scenario = {
  name: 'delivery',
  sizes: { nodes: 0, gateways: 0, syncs: 2, syncFlags: { secretsInterval: '15s', concurrency: '1' } },
  play: (world) => {
    const { machines, tenant, management, clock } = world;
    const all = [...WORKLOAD, SETTINGS, ...endpoints()];
    let [phase, holder] = ['Synced', ''];
    const changed = (address: string) => tenant.byOthers(() => {
      const slice = tenant.object(`${SLICE}/kubernetes`);
      if (slice) tenant.put(`${SLICE}/kubernetes`, { ...slice, endpoints: [{ addresses: [address], conditions: { ready: true } }] });
    });
    const crashInVisit = () => {
      const visiting = machines.syncs.find(({ files }) => files.exists(VISITS) && files.read(VISITS).toString().includes(TENANT));
      if (visiting) visiting.crash();
      else clock.schedule(0.5, crashInVisit);
    };
    return {
      steps: [
        [() => {
          removeBundle(world);
          // One to which there is no way takes its turn, too.
          world.bundle(LOST, 1);
          putBundle(world, all, { ...KEPT, partsThere: 1 });
          machines.start();
          phase = 'Waiting';
        }, 12_000],
        [() => {
          tenant.definitionsPending = true;
          putBundle(world, all, KEPT);
          clock.schedule(2_000, () => tenant.byOthers(() => tenant.establishDefinitions()));
          phase = 'Synced';
        }, 10_000],
        [() => {
          changed('10.9.9.9');
          clock.schedule(1_000, () => changed('10.9.9.8'));
        }, 5_000],
        [() => tenant.byOthers(() => {
          // One more that pods would use, and one that takes the name alone.
          tenant.put(`${SLICE}/foreign`, { metadata: { labels: SERVICE_LABEL }, addressType: 'IPv4', ports: [{ port: 1 }], endpoints: [{ addresses: ['10.7.7.7'] }] });
          tenant.put(`${SLICE}/kubernetes`, { kind: 'EndpointSlice', addressType: 'IPv4', ports: [], endpoints: [] });
        }), 3_000],
        // A few looks at the Secrets.
        [() => undefined, 40_000],
        [() => {
          tenant.byOthers(() => tenant.put(POD, { metadata: { namespace: 'apps', labels: { app: 'app' } }, status: { phase: 'Running' } }));
          putBundle(world, [SETTINGS, ...endpoints('203.0.113.11')], KEPT);
          phase = 'Pruning';
        }, 3_000],
        [() => {
          tenant.byOthers(() => tenant.remove(POD));
          phase = 'Synced';
        }, 5_000],
        [() => {
          // Another sync takes it, and has other endpoints.
          holder = 'another';
          tenant.byOthers(() => {
            const inventory = tenant.object(INVENTORY)!;
            tenant.put(INVENTORY, { ...inventory, metadata: { ...inventory.metadata, annotations: { [HELD_BY]: holder } } });
          });
          changed('10.8.8.8');
          phase = 'Moved';
        }, 8_000],
        [() => {
          holder = '';
          management.byOthers(() => management.remove(TENANT_STATUS));
          phase = 'Synced';
        }, 8_000],
        [() => {
          // In the middle of a visit.
          putBundle(world, [...all, { ...SETTINGS, metadata: { ...SETTINGS.metadata, name: 'more' } }], KEPT);
          crashInVisit();
        }, 25_000],
        [() => {
          putBundle(world, [SETTINGS, ...WORKLOAD]);
          phase = 'Pruning';
        }, 5_000],
        [() => {
          // The API server writes its own again.
          tenant.byOthers(() => tenant.put(`${SLICE}/kubernetes`, {
            metadata: { labels: SERVICE_LABEL }, addressType: 'IPv4', ports: [{ port: 6443 }], endpoints: [{ addresses: ['10.1.0.1'] }],
          }));
          phase = 'Synced';
        }, 8_000],
        [() => {
          putGarbage(world);
          phase = 'Failed';
        }, 3_000],
        [() => {
          tenant.byOthers(() => tenant.put(POD, { metadata: { namespace: 'apps', labels: { app: 'app' } }, status: { phase: 'Running' } }));
          removeBundle(world);
          phase = 'Removing';
        }, 5_000],
        [() => {
          tenant.byOthers(() => tenant.remove(POD));
          phase = GONE;
        }, 5_000],
        // One that owned the endpoints leaves as well.
        [() => {
          putBundle(world, [SETTINGS], { settings: { kubernetesEndpoints: 'owned' } });
          phase = 'Synced';
        }, 5_000],
        [() => {
          removeBundle(world);
          phase = GONE;
        }, 8_000],
      ],
      wrong: () => [
        ...notReady(world),
        ...notSynced(world, phase),
        ...holder === '' || tenant.object(INVENTORY)?.metadata.annotations[HELD_BY] === holder ? [] : ['the tenant was taken back'],
      ],
    };
  },
};
