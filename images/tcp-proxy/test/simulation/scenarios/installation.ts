import { X509Certificate } from 'crypto';
import type { Scenario } from './scenario';
import { notReady, notSynced, publishedCertificate } from '../fault-state';
import { SERVICE, TENANT } from '../world';

const SLICE = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints/kubernetes';
const TLS = '/api/v1/namespaces/kube-system/secrets/tcp-proxy-tls';

/** Two proxies, a gateway and a `sync`, and whatever makes them wait for something. */
export const INSTALLATION: Scenario = {
  name: 'installation',
  sizes: { nodes: 2, gateways: 1, syncs: 1 },
  play: (world, { other }) => {
    const { machines, clock, tenant } = world;
    return {
      steps: [
        [() => machines.start(), 15_000],
        [() => {
          world.routes(250);
          machines.rotateTokens();
          machines.mountAll();
        }, 3_000],
        [() => {
          world.routes(20);
          world.bundle(TENANT, 2);
          tenant.byOthers(() => tenant.remove(TLS));
        }, 3_000],
        [() => {
          world.routes(22);
          machines.configureGateways('global\n# another\n');
          machines.mountAll();
        }, 3_000],
        [() => {
          machines.addAuthority(other.certificate);
          machines.mountAll();
          tenant.byOthers(() => [SLICE, ENDPOINTS].forEach(path => tenant.object(path) && tenant.remove(path)));
        }, 3_000],
        [() => {
          // DNS has to be asked again, on a machine whose clock was set back.
          for (const pod of machines.gateways) pod.clockError = -86_400_000;
          world.tenantAddress = '10.1.0.2';
          world.names.set(SERVICE, world.tenantAddress);
          world.movedAt = clock.now;
          tenant.breakWatches();
        }, 40_000],
        [() => [...machines.proxies.slice(0, 1), ...machines.gateways].forEach(({ haproxy }) => haproxy?.running && haproxy.crash()), 4_000],
        [() => [machines.proxies[1], ...machines.syncs].forEach(pod => pod?.crash()), 14_000],
        [() => {
          const [node] = machines.nodes;
          machines.drain(node.pod!, () => clock.schedule(2_000, () => machines.startProxy(node)));
          machines.gateways.forEach((pod, i) => machines.drain(pod, () => machines.startGateway(i)));
          machines.syncs.forEach((pod, i) => machines.drain(pod, () => machines.startSync(i)));
        }, 30_000],
      ],
      wrong: () => {
        const published = publishedCertificate(world);
        const wanted = machines.nodes.map(({ address }) => address).join();
        const addresses = world.clients.addresses().join();
        const serves = (certificate?: X509Certificate) => certificate === undefined || certificate.fingerprint === published?.fingerprint;
        return [
          ...notReady(world),
          ...machines.proxies.filter(({ haproxy }) => !serves(haproxy?.certificate)).map(({ name }) => `${name} serves another certificate than the one that is published`),
          ...machines.proxies.length === machines.nodes.length ? [] : ['a node has no proxy'],
          ...addresses === wanted ? [] : [`${addresses} are published, not ${wanted}`],
          ...machines.gateways.flatMap(pod => world.whyNotRouted(pod) ?? []),
          ...published ? [] : ['no certificate is published'],
          ...notSynced(world),
        ];
      },
    };
  },
};
