import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart, Testing } from 'cdk8s';
import { ReportedPlatform } from './platform';
import {
  Exposure, ExposureReport, K0rdentClusterDeployment, K0rdentConfig, SharedIngressGateway, TcpProxyAddon, TcpProxyEndpoints, TcpProxyPlacement,
  TcpProxyUpstream,
} from '../../src';
import { PAGE_CLUSTER } from '../clusters/hetzner/harness';
import { Management } from '../delivery/harness';

const PRICES = { currency: 'EUR', loadBalancer: 5.39, address: 0.5 };

describe('the report of a platform', () => {
  function platform(): ReportedPlatform {
    const made = new ReportedPlatform();
    const gateway = new SharedIngressGateway(made.management, 'edge', { namespace: 'edge' });
    made.tcpProxy(made.tenant('tenant-01'));
    made.tcpProxy(made.tenant('tenant-02', {
      namespace: 'others',
      clusterId: 'c0ffee',
      controller: gateway.asController(),
      tlsServices: [{ name: 'oauth', serviceName: 'oauth', servicePort: 8443, podPort: 9443 }],
    }), { upstream: TcpProxyUpstream.sharedGateway(gateway), placement: TcpProxyPlacement.everyNode() });
    return made;
  }
  const props = { sharedAddresses: ['203.0.113.10', '2001:db8::10'], prices: { ...PRICES, tenants: [2, 50] } };

  test('is the Markdown that was reviewed', () => {
    expect(platform().report(props).markdown()).toMatchSnapshot();
  });

  test('is the JSON that was reviewed', () => {
    expect(platform().report(props).toJson()).toMatchSnapshot();
  });

  test('does not depend on the order of construction', () => {
    const [forwards, backwards] = [['a', 'b', 'c'], ['c', 'b', 'a']].map(names => {
      const made = new ReportedPlatform();
      const report = made.report(props);
      names.forEach(name => made.tcpProxy(made.tenant(name)));
      return report;
    });

    expect(backwards.markdown()).toBe(forwards.markdown());
    expect(JSON.stringify(backwards.toJson())).toBe(JSON.stringify(forwards.toJson()));
  });

  test('knows control planes that are constructed after it', () => {
    const made = new ReportedPlatform();
    const report = made.report();

    made.tenant('late');

    expect(report.toJson().controlPlanes.map(({ name }) => name)).toEqual(['late']);
  });
});

describe('what is reported', () => {
  test('are the control planes below the scope alone', () => {
    const made = new ReportedPlatform();
    made.tenant('tenant-01');
    const other = new Chart(made.app, 'other');

    expect(new ExposureReport(other, 'report').toJson().controlPlanes).toEqual([]);
    expect(new ExposureReport(made.management, 'report', { fileName: 'management' }).toJson().controlPlanes).toHaveLength(1);
  });

  test('is every construct with an exposure, whatever its class', () => {
    const chart = Testing.chart();
    const { exposure } = new K0rdentClusterDeployment(chart, 'cluster01', {
      template: 'hetzner-hosted-cp-1-2-0', credential: 'hcloud', config: K0rdentConfig.hostedHetzner(PAGE_CLUSTER),
    });

    const [controlPlane] = new ExposureReport(chart, 'report').toJson().controlPlanes;

    expect(controlPlane).toMatchObject({ name: 'cluster01', namespace: 'kcm-system', dnsNames: exposure!.dnsNames });
    expect(controlPlane).not.toHaveProperty('tcpProxy.name');
  });

  test('is a control plane of elsewhere, when a tcp-proxy leads to it', () => {
    const app = Testing.app();
    const exposure = new Exposure({ name: 'elsewhere', namespace: 'tenants', domain: 'example.com' });
    new TcpProxyAddon(new Chart(app, 'tenant'), 'tcp-proxy', { exposure });

    const [controlPlane] = new ExposureReport(app, 'report').toJson().controlPlanes;

    expect(controlPlane).toMatchObject({ name: 'elsewhere', tcpProxy: { upstream: 'sni', listenPort: 6443 } });
  });

  test('is the tcp-proxy of a tenant whose charts are in an app of their own', () => {
    const made = new ReportedPlatform();
    made.tcpProxy(made.tenant('tenant-01'), {
      placement: TcpProxyPlacement.everyNode(),
      endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['172.20.0.1'] }),
      listenPort: 7443,
      healthPort: 9404,
    });

    const [{ tcpProxy }] = made.report().toJson().controlPlanes;

    expect(tcpProxy).toEqual({
      name: 'tcp-proxy',
      namespace: 'kube-system',
      placement: 'every-node',
      upstream: 'sni',
      upstreamHost: 'tenant-01.k8s.example.com',
      upstreamPort: 443,
      listenPort: 7443,
      healthPort: 9404,
      advertiseAddresses: ['172.20.0.1'],
      certificate: 'existingSecret("tcp-proxy-tls")',
    });
  });
});

test('a report is none of the objects of a tenant', () => {
  const management = new Management(undefined);
  expect(() => new ExposureReport(management.tenant(), 'report')).toThrow('scope: "tenant-01/report" is in a chart of TenantCharts, among the objects of a tenant. ' +
    'Make the report in the app or in a chart for the management cluster; it has the part of one tenant as tenantMarkdown().');
});

describe('the files', () => {
  let outdir: string;

  beforeEach(() => { outdir = mkdtempSync(join(tmpdir(), 'report-')); });
  afterEach(() => rmSync(outdir, { recursive: true, force: true }));

  test('are written beside the manifests when the app is synthesized', () => {
    const app = new App({ outdir });
    const report = new ExposureReport(app, 'report');
    new Chart(app, 'management');

    app.synth();

    expect(readdirSync(outdir).sort()).toEqual(['management.k8s.yaml', 'report']);
    expect(readFileSync(join(outdir, 'report', 'exposure-report.md'), 'utf8')).toBe(report.markdown());
    expect(JSON.parse(readFileSync(join(outdir, 'report', 'exposure-report.json'), 'utf8'))).toEqual(report.toJson());
  });

  test('go to the folder and have the name that were asked for', () => {
    const app = new App({ outdir });
    const report = new ExposureReport(app, 'report', { folder: join(outdir, 'docs'), fileName: 'edge' });

    app.synth();

    expect(readdirSync(join(outdir, 'docs')).sort()).toEqual(['edge-images.txt', 'edge.json', 'edge.md']);
    expect(report.markdownFile).toBe(join(outdir, 'docs', 'edge.md'));
  });

  test('are also printed in short, on standard error, where that is asked for', () => {
    const printed = jest.spyOn(console, 'error').mockImplementation();
    const made = new ReportedPlatform();
    made.tenant('tenant-01');
    made.report();
    made.app.synth();
    expect(printed).not.toHaveBeenCalled();

    const report = new ExposureReport(made.app, 'told', { printSummary: true, fileName: 'told', sharedAddresses: ['203.0.113.10'] });
    made.app.synth();

    expect(printed.mock.calls).toEqual([[report.summary()]]);
    expect(report.summary()).toContain('tenants/tenant-01: Steward behind traefik, https://tenant-01.k8s.example.com:443\n');
    expect(report.summary()).toMatch(/ {4}kube-apiserver +tenant-01\.k8s\.example\.com:443 +-> tenants\/tenant-01:6443\n/);
    expect(report.summary()).toMatch(/tenant-01\.k8s\.example\.com +A +203\.0\.113\.10\n/);
    expect(new ExposureReport(made.app, 'two', { fileName: 'two', sharedAddresses: ['203.0.113.10', '2001:db8::10'] }).summary()).toMatch(/ A, AAAA +203\.0\.113\.10, 2001:db8::10\n/);
    expect(new ExposureReport(made.app, 'name', { fileName: 'name', sharedAddresses: ['lb.example.net'] }).summary()).toMatch(/ CNAME +lb\.example\.net\n/);
    expect(new ExposureReport(made.app, 'none', { fileName: 'none' }).summary()).toMatch(/ A, AAAA +the shared address\n/);
    printed.mockRestore();
  });

  test('are also a page where that is asked for', () => {
    const app = new App({ outdir });
    const report = new ExposureReport(app, 'report', { html: true, title: 'Of <all> & everybody' });

    app.synth();

    expect(report.htmlFile).toBe(join(outdir, 'report', 'exposure-report.html'));
    expect(readFileSync(report.htmlFile!, 'utf8')).toBe(report.html());
    expect(report.html()).toContain('<h1>Of &lt;all&gt; &amp; everybody</h1>');
    expect(new ExposureReport(new App({ outdir }), 'report').htmlFile).toBeUndefined();
  });

  test('of two reports may not be the same', () => {
    const app = new App({ outdir });
    new ExposureReport(app, 'one');
    new ExposureReport(app, 'two');

    expect(() => app.synth()).toThrow(
      `report: "${join(outdir, 'report', 'exposure-report.md')}" is used by both one and two. One would overwrite the other: give each a fileName of its own.`);
  });
});

describe('a property that cannot work is an error that says what to write instead', () => {
  test.each<[object, string]>([
    [{ sharedAddresses: ['203.0.113.10', 'lb.example.net'] },
      'sharedAddresses: ["203.0.113.10","lb.example.net"] has the DNS name "lb.example.net" beside another address, and a CNAME stands alone. ' +
      'Give IP addresses alone, or the one DNS name of the load balancer.'],
    [{ sharedAddresses: ['203.0.113.10', '203.0.113.10'] }, 'sharedAddresses: ["203.0.113.10","203.0.113.10"] has an address twice. Give each address once.'],
    [{ sharedAddresses: ['203.0.113.300'] }, 'sharedAddresses: "203.0.113.300" ends in a number, '],
    [{ sharedAddresses: ['203.0.113.10:443'] }, 'sharedAddresses: "203.0.113.10:443" '],
    [{ topologyLimit: 0 }, 'topologyLimit: 0 is not a number of control planes that Mermaid draws. Give a whole number from 1 to 200.'],
    [{ folder: '.' }, 'folder: "." is the folder of the manifests, where kubectl would take the JSON for one. Give another, e.g. "report".'],
    [{ fileName: 'a/b' }, 'fileName: "a/b" is not the name of a file. Use letters, digits, ".", "_" and "-", and give the folder as "folder".'],
    [{ prices: { ...PRICES, currency: ' ' } }, 'prices.currency: " " is empty.'],
    [{ prices: { ...PRICES, loadBalancer: -1 } }, 'prices.loadBalancer: -1 is not a price. Give the amount for one month, 0 or more.'],
    [{ prices: { ...PRICES, sharedExtras: NaN } }, 'prices.sharedExtras: NaN is not a price. Give the amount for one month, 0 or more.'],
    [{ prices: { ...PRICES, addressesPerTenant: 1.5 } }, 'prices.addressesPerTenant: 1.5 is not a number of things. Give a whole number from 0'],
    [{ prices: { ...PRICES, tenants: [1, 0] } }, 'prices.tenants[1]: 0 is not a number of things. Give a whole number from 1'],
  ])('%j', (props, message) => {
    expect(() => new ExposureReport(Testing.app(), 'report', props)).toThrow(message);
  });
});

test('the part on one tenant is a document of its own', () => {
  const made = new ReportedPlatform();
  const { exposure } = made.tenant('tenant-01');

  const markdown = made.report({ sharedAddresses: ['203.0.113.10'] }).tenantMarkdown(exposure);

  expect(markdown).toMatch(/^# tenants\/tenant-01\n\n```mermaid\n/);
  expect(markdown).toContain('| `tenant-01.konnectivity.example.com` |');
});
