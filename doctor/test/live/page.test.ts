import { existsSync, readFileSync } from 'fs';
import { join } from 'path';
import { App, Chart, Testing } from 'cdk8s';
import { ControlPlanePlatform, ExposureReport, IngressController, IngressExposedControlPlane } from '../../../src';
import { stopParts } from '../../../test/data-path/support/parts';
import { readReportFile } from '../../src/live/report-file';
import { doctor } from '../support/doctor';
import { fleet, hostedCluster } from '../support/fleet';
import { withFolder } from '../support/manifests';

jest.setTimeout(60_000);

afterEach(stopParts);

/** What somebody reads on the page. */
function textOf(file: string): string {
  return readFileSync(file, 'utf8').replace(/<(style|script)>[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

/** The JSON of the report of an app with a tenant. */
function reportJson(namespace: string, name: string): string {
  const app = Testing.app();
  new IngressExposedControlPlane(new Chart(app, 'management'), name, {
    namespace,
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    konnectivity: {},
    platform: ControlPlanePlatform.kamaji({ replicas: 3 }),
    controller: IngressController.traefik(),
  });
  return JSON.stringify(new ExposureReport(app, 'report', {
    title: 'Everything <we> have', sharedAddresses: ['203.0.113.10'], prices: { currency: 'EUR', loadBalancer: 5, sharedLoadBalancers: 0 },
  }).toJson());
}

describe('a page of what was seen', () => {
  test('has each tenant, what is wrong with it, and until when its certificate is valid', async () => {
    const { files, flags } = await fleet();
    await withFolder(files, async folder => {
      const page = join(folder, 'page.html');
      const args = ['live', '--manifests', folder, '--all', '--ca-file', join(folder, 'ca/{namespace}/{name}.crt'), ...flags];
      const { code, stdout, stderr } = await doctor([...args, '--page', page]);

      expect(stderr).toBe('');
      expect(code).toBe(1);
      expect(stdout).toMatch(/^3 tenants: 2 healthy, 1 not\.$/m);
      const text = textOf(page);
      expect(text).toMatch(/4 control planes behind one shared address\. Looked at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\./);
      expect(text).toMatch(/2 of 3 healthy seen/);
      expect(text).toMatch(/2 certificates of servers seen at/);
      expect(text).toMatch(/clusters\/one API server \d{4}-\d\d-\d\d in \d+ days? yes/);
      expect(text).toMatch(/down down\.k8s\.example\.com HyperShift not healthy Broken at tcp\. tcp failed: .*nothing listens there\. check the load balancer/);
      expect(text).toMatch(/apart HyperShift/);
    });
  });

  test('says all that the report says, and has what the report does not know', async () => {
    const { files, flags } = await fleet();
    await withFolder({ '0.yaml': files['0.yaml'], '1.yaml': files['1.yaml'], 'report/exposure-report.txt': reportJson('clusters', 'one') }, async folder => {
      const page = join(folder, 'report', 'page.html');
      const { code, stderr } = await doctor(
        ['live', '--manifests', folder, '--all', '-o', 'json', ...flags, '--page', page, '--report', join(folder, 'report/exposure-report.txt')]);

      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(readFileSync(page, 'utf8')).toContain('<h1>Everything &lt;we&gt; have</h1>');
      const text = textOf(page);
      expect(text).toContain('2 control planes behind 203.0.113.10.');
      expect(text).toMatch(/120 EUR saved in a year/);
      expect(text).toMatch(/one clusters-one\.k8s\.example\.com Kamaji 1\.34\.3 tcp-proxy healthy Healthy\. Certificate of the API server until/);
      expect(text).toMatch(/two two\.k8s\.example\.com HyperShift healthy Healthy\./);
    });
  });

  test('has nothing that a hostile manifest or path could do', async () => {
    const name = 'a"><script>alert(1)</script>';
    await withFolder({ 'a.yaml': hostedCluster(name, 'one.k8s.example.com', 30_001) }, async folder => {
      const page = join(folder, 'page.html');
      await doctor(['live', '--manifests', folder, '--all', '--resolver', '127.0.0.1:9', '--timeout', '100ms', '--page', page]);

      expect(readFileSync(page, 'utf8').match(/<script/g)).toHaveLength(1);
      expect(readFileSync(page, 'utf8')).toContain('a&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    });
  });

  test.each<[string, string[], RegExp]>([
    ['without objects', ['one.k8s.example.com', '--page', 'page.html'], /--page is of tenants: give --manifests or --kubeconfig/],
    ['in a folder that is not there', ['--manifests', '.', '--page', 'no/page.html'], /--page "no\/page\.html": its folder does not exist$/],
    ['that nobody asked for', ['--manifests', '.', '--report', 'report.json'], /--report is what a --page also says: give that too$/],
    ['with a report that is not there', ['--manifests', '.', '--page', 'page.html', '--report', 'none.json'], /--report "none\.json": cannot be read/],
    ['with a report that is none', ['--manifests', '.', '--page', 'page.html', '--report', 'a.json'], /is not the JSON of an ExposureReport; give exposure-report\.json$/],
    ['of two of one name', ['--manifests', '.', '--all', '--page', 'page.html'], /there are two control planes "clusters\/a"; give the objects of one management cluster$/],
  ])('%s is refused before anything is looked at', async (_, args, message) => {
    await withFolder({ 'a.json': hostedCluster('a', 'a.example.com', 30_001), 'b.json': hostedCluster('a', 'b.example.com', 30_002) }, async folder => {
      const { code, stdout, stderr } = await doctor(['live', '--resolver', '127.0.0.1:9', '--timeout', '100ms', ...args], {}, { cwd: folder });
      expect(stderr.trim()).toMatch(message);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(existsSync(join(folder, 'page.html'))).toBe(false);
    });
  });
});

describe('the JSON of a report', () => {
  const read = (content: string) => withFolder({ 'report.json': content }, folder => readReportFile(join(folder, 'report.json')));

  test('that synthesis has written is read as it is', () => {
    const written = JSON.parse(reportJson('tenants', 'tenant-01'));
    expect(written).toMatchObject(JSON.parse(JSON.stringify(read(JSON.stringify(written)))));
    expect(read(JSON.stringify(written)).controlPlanes[0]).toMatchObject({ platform: 'Kamaji', replicas: 3, controller: 'traefik' });
  });

  test.each<[string, RegExp]>([
    ['null', /is not the JSON of an ExposureReport/],
    ['{', /cannot be read/],
    ['{"formatVersion":2}', /is of another version than this doctor/],
    ['{"formatVersion":1,"title":7}', /title is not what it has there/],
    ['{"formatVersion":1,"title":"x","sharedAddresses":[],"controlPlanes":[{"name":{}}]}', /controlPlanes\.0\.name is not what it has there/],
  ])('%s is refused', (content, message) => {
    expect(() => read(content)).toThrow(message);
  });
});

test('what an app writes is what the doctor takes', () => {
  withFolder({}, folder => {
    const app = new App({ outdir: folder });
    const report = new ExposureReport(app, 'report', { html: true });
    app.synth();
    expect(readReportFile(report.jsonFile)).toEqual(expect.objectContaining({ title: 'Exposure of hosted control planes', controlPlanes: [] }));
  });
});
