import { App, Chart } from 'cdk8s';
import { bind } from './bind';
import {
  ControlPlanePlatform, IngressController, IngressControllerInstall, IngressExposedControlPlane, KgatewayController, OperatorRoutes,
  PassthroughGateway, TlsRouteVersion,
} from '../../src';
import { install } from '../ingress-controller-install/install';

const GATEWAY = { name: 'public', namespace: 'gateways' };

describe('kgateway', () => {
  test('gets TLSRoutes of the standard channel, one for each host', () => {
    const { routes } = bind(IngressController.kgateway({ gateway: GATEWAY }));
    expect(routes.map(({ apiVersion, kind, spec }) => [apiVersion, kind, spec.hostnames])).toEqual([
      ['gateway.networking.k8s.io/v1', 'TLSRoute', ['tenant-01.k8s.example.com']],
      ['gateway.networking.k8s.io/v1', 'TLSRoute', ['tenant-01.konnectivity.example.com']],
      ['gateway.networking.k8s.io/v1', 'TLSRoute', ['tenant-01.trustd.example.com']],
    ]);
  });

  // Up to 2.2 it leads all hosts of a listener to the oldest route: one tenant's clients to another tenant.
  test('is refused with the version that only releases read which mix tenants up', () => {
    expect(() => IngressController.kgateway({ gateway: GATEWAY, tlsRouteVersion: TlsRouteVersion.V1ALPHA2 })).toThrow(
      'tlsRouteVersion: "v1alpha2" is all that kgateway up to 2.2 reads, which leads every host of a listener to its oldest route. Use a newer kgateway');
  });

  test('is told to read versions before v1, and needs no value otherwise', () => {
    expect(IngressController.kgateway({ gateway: GATEWAY }).helmValues()).toEqual({});
    expect(IngressController.kgateway({ gateway: GATEWAY, tlsRouteVersion: TlsRouteVersion.V1ALPHA3 }).helmValues())
      .toEqual({ controller: { extraEnv: { KGW_ENABLE_EXPERIMENTAL_GATEWAY_API_FEATURES: 'true' } } });
  });

  test('serves a PassthroughGateway of its class, whose listeners it knows', () => {
    const chart = new Chart(new App(), 'management');
    const gateway = new PassthroughGateway(chart, 'public', {
      namespace: 'gateways', gatewayClassName: 'kgateway', routeNamespaceLabels: {}, listeners: [{ name: 'k8s', hostname: '*.k8s.example.com' }],
    });
    const controller = gateway.asController();
    expect(controller).toBeInstanceOf(KgatewayController);
    expect(() => gateway.asController({ tlsRouteVersion: TlsRouteVersion.V1ALPHA2 })).toThrow('is all that kgateway up to 2.2 reads');
    expect(IngressController.kgateway(gateway.controllerProps())).toEqual(controller);
    const props = { namespace: 'tenants', kubernetesVersion: '1.34.3', platform: ControlPlanePlatform.kamaji(), controller };
    const { routeObjects } = new IngressExposedControlPlane(chart, 'tenant-01', { ...props, hostname: 'tenant-01.k8s.example.com' });
    expect(routeObjects[0].toJson().spec.parentRefs).toMatchObject([{ name: 'public', namespace: 'gateways', sectionName: 'k8s' }]);
    expect(() => new IngressExposedControlPlane(chart, 'tenant-02', { ...props, hostname: 'tenant-02.example.com' })).toThrow('is taken by no listener');
  });

  test('has routes of operators that make TLSRoutes', () => {
    const { operatorRoutes, routeObjects } = new IngressExposedControlPlane(new Chart(new App(), 'management'), 'tenant-01', {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.kamaji({ operatorRoutes: OperatorRoutes.GATEWAY }),
      controller: IngressController.kgateway({ gateway: GATEWAY }),
    });
    expect([operatorRoutes.length, routeObjects.length]).toEqual([2, 0]);
  });

  test(`is installed otherwise, as ${IngressControllerInstall.name} says`, () => {
    expect(() => install(IngressController.kgateway({ gateway: GATEWAY }))).toThrow('controller: "kgateway" has charts that this library does not know');
  });
});
