import { Chart } from 'cdk8s';
import { Protocol } from 'cdk8s-plus-30';
import { GATEWAY, Tenant } from './harness';
import { ApiServer, applyByClient, applyByServer, create, KAMAJI, OperatorRules, reconcile, Spec, STEWARD } from './operator-rules';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlaneProps, OperatorRoutes, TcpProxyAddon, TcpProxyEndpoints,
  TcpProxyPlacement, TenantControlPlaneProps,
} from '../../src';

/*
 * Whatever a tenant was before: after a change of its definition it is what the definition would have made of nothing.
 */
const ADDRESS = { addresses: ['100.64.30.10'] };

interface Configuration {
  readonly platform?: TenantControlPlaneProps & { operatorRoutes?: OperatorRoutes; tcpProxy?: object };
  readonly tenant?: Partial<IngressExposedControlPlaneProps>;
  readonly endpoints?: TcpProxyEndpoints;
}

const CONFIGURATIONS: { [name: string]: Configuration } = {
  'nothing but the control plane': {},
  'a tcp-proxy that owns the endpoints': { endpoints: TcpProxyEndpoints.owned() },
  'a tcp-proxy at an address that the API server advertises': { endpoints: TcpProxyEndpoints.fixedAddress(ADDRESS) },
  'a tcp-proxy that owns an advertised address': { endpoints: TcpProxyEndpoints.ownedAdvertiseAddress(ADDRESS) },
  'konnectivity': { tenant: { konnectivity: {} } },
  'konnectivity with agents and server of its own': {
    tenant: { konnectivity: {} }, platform: { konnectivityAgent: { hostNetwork: true }, konnectivityServer: { port: 9132 } },
  },
  'an allow list': { tenant: { allowedCidrs: ['198.51.100.0/24'] } },
  'replicas': { platform: { replicas: 3 } },
  'addons': { platform: { coreDns: {}, kubeProxy: {} } },
  'addresses of the DNS': { tenant: { network: { dnsServiceIps: ['10.96.0.53'] } } },
  'kubelet addresses and admission controllers': {
    platform: { kubeletAddressTypes: ['Hostname'] as any, admissionControllers: ['NodeRestriction'] },
  },
  'placement, labels and ports': {
    platform: {
      nodeSelector: { pool: 'a' },
      tolerations: [{ operator: 'Exists' }],
      podLabels: { team: 'a' },
      podAnnotations: { team: 'a' },
      additionalPorts: [{ name: 'signer', port: 9443, protocol: Protocol.TCP }],
    },
  },
  'flags of the components': { platform: { extraArgs: { apiServer: ['--v=2', '--audit-log-path=-'], scheduler: ['--v=2'] } } },
  'flags, and a tcp-proxy that owns the endpoints': {
    platform: { extraArgs: { apiServer: ['--v=2', '--audit-log-path=-'] } }, endpoints: TcpProxyEndpoints.owned(),
  },
  'another controller': { tenant: { controller: IngressController.traefik() } },
  'routes of the operator\'s Gateway': {
    tenant: { controller: IngressController.gatewayApi({ gateway: GATEWAY }), konnectivity: {} },
    platform: { operatorRoutes: OperatorRoutes.GATEWAY },
  },
};
const STEWARDS_OWN: { [name: string]: Configuration } = { 'Steward\'s own tcp-proxy': { platform: { tcpProxy: {} } } };

function synthesize(platform: (props: any) => ControlPlanePlatform, { platform: props, tenant, endpoints }: Configuration): Spec {
  const result = new Tenant(platform(props ?? {}), { controller: IngressController.haproxy(), ...tenant });
  if (endpoints) {
    new TcpProxyAddon(new Chart(result.app, 'addon'), 'tcp-proxy', {
      controlPlane: result.controlPlane, endpoints, placement: TcpProxyPlacement.everyNode(),
    });
  }
  return result.spec();
}

/** What the operator makes of a definition on a cluster where nothing is. */
function fresh(applied: Spec, rules: OperatorRules): { spec: Spec; apiServer: ApiServer } {
  const spec = create(applied);
  return { spec, apiServer: reconcile(spec, reconcile(spec, undefined, rules), rules) };
}

describe.each([
  ['Kamaji', (props: any) => ControlPlanePlatform.kamaji(props), KAMAJI, CONFIGURATIONS],
  ['Steward', (props: any) => ControlPlanePlatform.steward(props), STEWARD, { ...CONFIGURATIONS, ...STEWARDS_OWN }],
] as const)('a tenant of %s', (_name, platform, rules, configurations) => {
  const specs = Object.fromEntries(Object.entries(configurations).map(([title, configuration]) => [title, synthesize(platform, configuration)]));
  const titles = Object.keys(specs);

  test.each(titles)('can be created with %s', title => {
    expect(() => fresh(specs[title], rules)).not.toThrow();
  });

  describe.each([['client', applyByClient], ['server', applyByServer]])('applied on the %s\'s side', (_side, apply) => {
    test.each(titles)('is after any other what a fresh one is: %s', title => {
      const wanted = fresh(specs[title], rules);
      for (const from of titles) {
        const before = fresh(specs[from], rules);
        const spec = apply(specs[from], specs[title], before.spec);
        const apiServer = reconcile(spec, before.apiServer, rules);
        expect({ from, spec, args: apiServer.args }).toEqual({ from, spec: wanted.spec, args: wanted.apiServer.args });
      }
    });
  });

  test('is healed when an older release of this library has taken the deployment out of it', () => {
    const owned = specs['a tcp-proxy that owns the endpoints'];
    const { deployment: _gone, ...controlPlane } = owned.controlPlane;
    const before = fresh(owned, rules);
    const broken = applyByClient(owned, { ...owned, controlPlane }, before.spec);
    expect(() => reconcile(broken, before.apiServer, rules)).toThrow('panic');

    const plain = specs['nothing but the control plane'];
    const spec = applyByClient({ ...owned, controlPlane }, plain, broken);
    expect(reconcile(spec, before.apiServer, rules).args).toEqual([]);
    expect(spec).toEqual(create(plain));
  });
});
