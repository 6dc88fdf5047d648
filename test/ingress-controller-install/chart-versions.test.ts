import { install, NEWEST } from './install';
import { ControllerService, IngressController } from '../../src';

const INSTALLABLE: [string, IngressController][] = [
  IngressController.traefik(),
  IngressController.haproxy(),
  IngressController.haproxyIngress(),
  IngressController.ingressNginx(),
  IngressController.f5Nginx(),
].map(controller => [controller.type, controller]);

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('the version of a chart', () => {
  test.each(INSTALLABLE)('of %s is no matter when it was read', (_, controller) => {
    expect(install(controller).warnings.filter(text => text.startsWith('chartVersion'))).toEqual([]);
  });

  test.each(INSTALLABLE)('of %s is a warning when nobody read it, which names the newest that was read', (type, controller) => {
    const { warnings } = install(controller, { chartVersion: '99.0.0' });
    expect(warnings.filter(text => text.startsWith('chartVersion'))).toEqual([expect.stringMatching(
      new RegExp(`^chartVersion: "99\\.0\\.0" is a version of the chart \\S+ that nobody read; the newest that was read is [\\d.]+ \\(\\S+ ${NEWEST[type]}\\)\\. ` +
        'Make sure that it works, and say so with newestChartVersion of the installation\\.$'))]);
  });

  test.each(INSTALLABLE)('of %s is taken as the user says', (_, controller) => {
    expect(install(controller, { chartVersion: '99.1.0', newestChartVersion: '99' }).warnings.filter(text => text.startsWith('chartVersion'))).toEqual([]);
    expect(() => install(controller, { chartVersion: '99.1.0', newestChartVersion: '98' })).toThrow(
      'chartVersion: "99.1.0" is newer than 98, the newest that newestChartVersion of the installation says works.');
    expect(() => install(controller, { newestChartVersion: 'latest' })).toThrow('newestChartVersion: "latest" is not a version.');
  });

  test.each([
    [IngressController.traefik(), '26.9.9', 'is older than 27.0.0'],
    [IngressController.haproxyIngress(), '0.13.4', 'cannot make an IngressClass'],
    [IngressController.f5Nginx(), '0.18.1', 'has other names for the IngressClass'],
  ])('is an error when it is known to break: %#', (controller, chartVersion, reason) => {
    expect(() => install(controller, { chartVersion })).toThrow(`chartVersion: "${chartVersion}" ${reason}`);
    expect(() => install(controller, { chartVersion, newestChartVersion: '99' })).toThrow(reason);
  });

  test.each([[IngressController.haproxy(), '1.29.3'], [IngressController.ingressNginx(), '3.41.0']])('warns of old ones that nobody read: %#', (controller, chartVersion) => {
    expect(install(controller, { chartVersion }).warnings).toContainEqual(expect.stringContaining(`"${chartVersion}" is older than all that were read`));
  });
});

describe('values that the version ignores are errors', () => {
  test.each(['type', 'loadBalancerClass', 'loadBalancerSourceRanges', 'externalIPs', 'ipFamilyPolicy', 'ipFamilies'])(
    'for service.%s of Traefik since 40, whoever writes them', key => {
      const values = { service: { [key]: 'x' } };
      expect(() => install(IngressController.traefik(), { values, chartVersion: '40.0.0' })).toThrow(
        `values.service.${key}: "x" is not read by the chart traefik 40.0.0, only before 40. Write service.spec.${key}.`);
      expect(() => install(IngressController.traefik(), { values, chartVersion: '39.0.9' })).not.toThrow();
    });

  test('for a type in service.spec of Traefik before 40, where it would be there twice', () => {
    const values = { service: { spec: { type: 'ClusterIP' } } };
    expect(() => install(IngressController.traefik(), { values, chartVersion: '39.0.9' })).toThrow(
      'values.service.spec.type: "ClusterIP" is not read by the chart traefik 39.0.9, only since 40. Write service.type.');
    expect(install(IngressController.traefik(), { values }).values.service.spec.type).toBe('ClusterIP');
  });

  test.each([
    ['41.3.0', { logs: { access: { enabled: true } } }, 'logs.access', 'before 41. Write accessLog.'],
    ['41.3.0', { logs: { general: { level: 'DEBUG' } } }, 'logs.general', 'before 41. Write log.'],
    ['40.3.0', { accessLog: { enabled: true } }, 'accessLog', 'since 41. Write logs.access.'],
    ['40.3.0', { log: { level: 'DEBUG' } }, 'log', 'since 41. Write logs.general.'],
  ])('for the logs of Traefik %s: %j', (chartVersion, values, path, remedy) => {
    expect(() => install(IngressController.traefik(), { values, chartVersion })).toThrow(new RegExp(`^\\S+: values\\.${path}: .* is not read by the chart traefik ${chartVersion}, only ${remedy}$`));
  });

  test.each([
    ['1.44.3', 'admin', 'since 1.44.4. Write controller.service.enablePorts.prometheus.'],
    ['1.44.4', 'prometheus', 'before 1.44.4. Write controller.service.enablePorts.admin.'],
    ['1.37.0', 'quic', 'since 1.38. Leave it out: there is no such port.'],
  ])('for ports of HAProxy Technologies %s that stay open otherwise: %s', (chartVersion, port, remedy) => {
    const values = { controller: { service: { enablePorts: { [port]: false } } } };
    expect(() => install(IngressController.haproxy(), { values, chartVersion })).toThrow(
      `values.controller.service.enablePorts.${port}: false is not read by the chart kubernetes-ingress ${chartVersion}, only ${remedy}`);
  });

  test('for ports of tenants with Traefik 2, where the routes of others would be at them too', () => {
    const controller = IngressController.traefik({ portRange: { first: 20000, last: 20001 } });
    expect(() => install(controller, { chartVersion: '27.0.2' })).toThrow(
      'values.ports.websecure.asDefault: true is not read by the chart traefik 27.0.2, only since 28. Use the chart 28.0.0 or newer, or leave portRange of the controller out.');
    expect(() => install(controller, { chartVersion: '28.0.0' })).not.toThrow();
  });

  test.each([
    [IngressController.haproxy(), '1.37.0', '1.38.0'], [IngressController.haproxyIngress(), '0.14.5', '0.14.6'], [IngressController.ingressNginx(), '4.7.0', '4.7.1'], [IngressController.f5Nginx(), '2.4.4', '2.5.0'],
  ])('for the class of the load balancer: %#', (controller, before, since) => {
    const service = ControllerService.loadBalancer({ loadBalancerClass: 'example.com/shared' });
    expect(() => install(controller, { service, chartVersion: before })).toThrow(
      /^\S+: values\.controller\.service\.loadBalancerClass: "example\.com\/shared" is not read by the chart \S+ [\d.]+, only since [\d.]+\. Use the chart [\d.]+ or newer, or leave the class out\.$/);
    expect(() => install(controller, { service, chartVersion: since })).not.toThrow();
  });
});
