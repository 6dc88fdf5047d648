import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { pathToFileURL } from 'url';
import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, ExposureReport, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts, TenantDelivery,
} from '../src';
import { LiveFacts } from '../src/report-page/live-facts';
import { reportPage } from '../src/report-page/page';
import { Browser } from '../test/upstream/support/browser';
import { provided } from '../test/upstream/support/provided';
import { Tab } from '../test/upstream/support/tab';

/*
 * Draws docs/images/report-page.png: the page of a made-up platform of 1,000 tenants, in a real browser (scripts/chromium.sh). What was seen of
 * them is made up too.
 */
const PICTURE = join(__dirname, '..', 'docs', 'images', 'report-page.png');
const TENANTS = 1000;
const TEAMS = ['payments', 'search', 'checkout', 'fraud', 'data-lake', 'ml-platform', 'mobile', 'logistics', 'identity', 'partners', 'internal', 'sandbox', 'training', 'archive'];
const VERSIONS = ['1.34.3', '1.34.3', '1.34.3', '1.33.7', '1.33.7', '1.32.11'];
const AT = '2026-11-28T12:00:00Z';
const DAY_MS = 86_400_000;

/** The first teams are the largest. */
function teamOf(i: number): string {
  return TEAMS[Math.floor(TEAMS.length * (i / TENANTS) ** 2)];
}

function nameOf(i: number): string {
  return `${teamOf(i)}-${String(i).padStart(3, '0')}`;
}

function platformOf(i: number): ControlPlanePlatform {
  const replicas = i % 9 === 0 ? 1 : i % 4 === 0 ? 3 : 2;
  return i % 5 === 0 ? ControlPlanePlatform.steward({ replicas }) : ControlPlanePlatform.kamaji({ replicas });
}

function report(app: App): ExposureReport {
  const management = new Chart(app, 'management');
  const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });
  for (let i = 0; i < TENANTS; i++) {
    const name = nameOf(i);
    const controlPlane = new IngressExposedControlPlane(management, name, {
      namespace: teamOf(i),
      kubernetesVersion: VERSIONS[i % VERSIONS.length],
      hostname: `${name}.k8s.example.com`,
      konnectivity: { hostname: `${name}.konnectivity.example.com` },
      platform: platformOf(i),
      controller: IngressController.haproxy(),
    });
    new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
  }
  return new ExposureReport(app, 'report', {
    title: 'Hosted control planes of Example Corp',
    sharedAddresses: ['203.0.113.10', '2001:db8::10'],
    prices: { currency: 'EUR', loadBalancer: 5.39, address: 0.5, addressesPerTenant: 2, sharedLoadBalancers: 2, sharedExtras: 120, tenants: [100, TENANTS] },
  });
}

function seen(): LiveFacts {
  const after = (days: number) => new Date(Date.parse(AT) + days * DAY_MS).toISOString().replace('.000Z', 'Z');
  return {
    at: AT,
    tenants: Array.from({ length: TENANTS }, (_, i) => ({
      namespace: teamOf(i),
      name: nameOf(i),
      healthy: i !== 417,
      summary: i === 417 ? 'Broken at sni.' : 'Healthy.',
      faults: [],
      certificates: [{ of: 'API server', validUntil: after(i % 333 === 0 ? 12 + i / 50 : 90 + i % 270), trusted: true }],
    })),
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'report-picture-'));
  const browser = Browser.start(provided('chromium'));
  try {
    const file = join(folder, 'page.html');
    writeFileSync(file, reportPage(report(new App({ outdir: folder })).toJson(), seen()));
    const tab = await Tab.open(browser, pathToFileURL(file).href, { width: 1120, height: 1600 });
    writeFileSync(PICTURE, await tab.picture());
  } finally {
    await browser.stop();
    rmSync(folder, { recursive: true });
  }
}

void main();
