import { readFileSync } from 'fs';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { bind } from './bind';
import { IngressController, SharedIngressGateway } from '../../src';

/*
 * A controller that counts bytes ends a quiet connection whatever TCP keepalives it carries, so the page says how long each waits: where an object
 * or value of this library says it, that, and otherwise the controller's own.
 */
const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'ingress-controllers.md'), 'utf8');
const TABLE = /\n## Quiet connections\n[^]*?\n\| --- .*\n((\|.*\n)+)/.exec(PAGE)![1];
/** Limit and setting by the name of the controller. */
const ROWS = Object.fromEntries(TABLE.trim().split('\n').flatMap(line => {
  const [, names, limit, setting] = line.split('|').map(cell => cell.trim());
  return names.split(', ').map(name => [name, { limit, setting }]);
}));

const edge = { gateway: { name: 'edge', namespace: 'edge' } };
/** What the library writes an hour into, and what the page calls that. */
const WRITTEN: { readonly [name: string]: { readonly controller: IngressController; readonly written: object; readonly called: string[] } } = {
  'haproxy-ingress': {
    controller: IngressController.haproxyIngress(),
    written: { metadata: { annotations: { 'haproxy-ingress.github.io/timeout-tunnel': '1h' } } },
    called: ['haproxy-ingress.github.io/timeout-tunnel', 'annotations'],
  },
  'OpenShift': {
    controller: IngressController.openshift(),
    written: { metadata: { annotations: { 'haproxy.router.openshift.io/timeout-tunnel': '1h' } } },
    called: ['haproxy.router.openshift.io/timeout-tunnel'],
  },
  'F5 NGINX': { controller: IngressController.f5Nginx(), written: { spec: { sessionParameters: { timeout: '1h' } } }, called: ['idleTimeout', 'proxy_timeout 1h;'] },
};
const SILENT: { readonly [name: string]: IngressController } = {
  'Traefik': IngressController.traefik(),
  'HAProxy Technologies': IngressController.haproxy(),
  'ingress-nginx': IngressController.ingressNginx(),
  'Contour': IngressController.contour(),
  'kgateway': IngressController.kgateway(edge),
  'Istio': IngressController.istio(),
  'Cilium': IngressController.cilium(),
  'Envoy Gateway': IngressController.gatewayApi(edge),
};
const GATEWAY = '[`SharedIngressGateway`](shared-gateway.md)';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('how long a quiet connection lives', () => {
  test('is on the page for each controller', () => {
    expect(Object.keys(ROWS).sort()).toEqual([...Object.keys(WRITTEN), ...Object.keys(SILENT), GATEWAY].sort());
    expect(Object.values(ROWS).filter(({ limit, setting }) => !limit || !setting)).toEqual([]);
  });

  test.each(Object.entries(WRITTEN))('is written for %s as the page says', (name, { controller, written, called }) => {
    const { routes } = bind(controller);
    for (const route of routes) expect(route).toMatchObject(written);
    const { limit, setting } = ROWS[name];
    for (const word of called) expect(setting).toContain(word);
    // Of F5's the limit is that of who installs it otherwise.
    expect(name === 'F5 NGINX' ? setting : limit).toMatch(/\b1 ?h\b/);
  });

  test.each(Object.entries(SILENT))('is left to %s', (_, controller) => {
    const { routes } = bind(controller);
    expect(JSON.stringify([routes, controller.helmValues()])).not.toMatch(/timeout|idle/i);
  });

  test('is a day at a gateway of this library', () => {
    const { haproxyConfig } = new SharedIngressGateway(new Chart(new App(), 'management'), 'edge', { namespace: 'edge' });
    expect(haproxyConfig).toMatch(/^ {2}timeout tunnel 86400s$/m);
    expect(ROWS[GATEWAY]).toEqual({ limit: '24 h', setting: '`tunnelTimeoutSeconds`' });
  });
});
