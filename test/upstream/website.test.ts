import { execFileSync } from 'child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Browser } from './support/browser';
import { provided } from './support/provided';
import { ServedFolder } from './support/served-folder';
import { Tab, TabOptions } from './support/tab';
import { publish } from '../../scripts/website/publish';
import { eventually } from '../data-path/support/eventually';

/*
 * The website as it is published, in a browser. Building it takes about two minutes.
 */
const CHROMIUM = provided('chromium');
provided('website');
const ROOT = join(__dirname, '..', '..');
const BUILD_MS = 600_000;

let folder: string;
let served: ServedFolder | undefined;
let browser: Browser | undefined;
let tabs: Tab[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'website-'));
  execFileSync(process.execPath, [
    join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs'), '--tsconfig', join(ROOT, 'examples', 'tsconfig.json'), join(ROOT, 'scripts', 'website', 'build.ts'),
    '--version', '1.1', '--site', folder,
  ], { stdio: ['ignore', 'pipe', 'pipe'] });
  // An older version, of which only its place counts.
  const old = join(folder, 'old');
  cpSync(join(folder, '1.1'), old, { recursive: true });
  publish(old, folder, '1.0');
  rmSync(old, { recursive: true });
  served = await ServedFolder.start(folder);
  browser = Browser.start(CHROMIUM);
}, BUILD_MS);

afterEach(async () => {
  await Promise.all(tabs.map(tab => tab.close()));
  tabs = [];
});

afterAll(async () => {
  served?.stop();
  await browser?.stop();
  rmSync(folder, { recursive: true });
});

async function open(path: string, options?: TabOptions): Promise<Tab> {
  const tab = await Tab.open(browser!, `${served!.origin}/1.1/${path}`, options);
  tabs.push(tab);
  // Once Vue has taken the page over, links and fields work.
  await eventually(() => tab.evaluate("document.querySelector('#app').__vue_app__ !== undefined"));
  return tab;
}

function pages(): string[] {
  return readdirSync(join(folder, '1.1'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.html'));
}

test('every link and picture of every page leads to what is there, in this version', () => {
  const site = join(folder, '1.1');
  const ids = new Map(pages().map(page => [page, new Set([...readFileSync(join(site, page), 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));
  const dead: string[] = [];
  let looked = 0;
  for (const page of pages()) {
    const targets = [...readFileSync(join(site, page), 'utf8').matchAll(/<(?:a|img)\b[^>]*? (?:href|src)="([^"]+)"/g)].map(([, target]) => target);
    for (const target of targets.filter(each => !/^(https?|data|mailto):/.test(each))) {
      const { pathname, hash } = new URL(target, `http://site/1.1/${page}`);
      const file = pathname.replace(/\/$/, '/index.html').replace(/^\/1\.1\//, '');
      looked++;
      if (!pathname.startsWith('/1.1/') || !existsSync(join(site, file)) || (hash !== '' && ids.has(file) && !ids.get(file)!.has(decodeURIComponent(hash.slice(1))))) {
        dead.push(`${page}: ${target}`);
      }
    }
  }
  expect(dead).toEqual([]);
  expect(looked).toBeGreaterThan(1000);
});

test.each(['', 'choosing.html', 'certificates.html', 'examples/', 'examples/steward-traefik.html', 'api/', 'api/TcpProxyAddon.html'])('%s opens without a complaint, asks nobody else, and shows its pictures', async path => {
  const tab = await open(path);

  await tab.evaluate("document.querySelectorAll('img').forEach(img => img.scrollIntoView())");
  await eventually(() => tab.evaluate("[...document.querySelectorAll('.vp-doc img')].every(img => img.complete && img.naturalWidth > 100)"));
  expect(await tab.evaluate("document.querySelectorAll('h1').length")).toBe(1);
  expect(tab.complaints).toEqual([]);
  expect(tab.requests.filter(each => !each.startsWith(served!.origin) && !each.startsWith('data:'))).toEqual([]);
});

test.each([
  ['kubeprism', 'Talos'], ['unhandled ingressclass', 'Kamaji'], ['TcpProxyPlacement', 'TcpProxyPlacement'],
])('a search for "%s" finds %s, and leads there', async (words, page) => {
  const tab = await open('');
  await tab.click('.VPNavBarSearch button');
  await eventually(() => tab.evaluate("document.querySelector('.search-input') !== null"));
  await tab.type('.search-input', words);
  await eventually(() => tab.evaluate(`(document.querySelector('.results .result')?.textContent ?? '').includes(${JSON.stringify(page)})`));

  await tab.click('.results .result');
  await eventually(() => tab.evaluate(`(document.querySelector('.vp-doc h1')?.textContent ?? '').includes(${JSON.stringify(page)})`));
  expect(tab.complaints).toEqual([]);
});

test('who chose a language reads it in every group, and on the next page', async () => {
  const shown = "[...document.querySelectorAll('.vp-code-group .blocks > .active')].map(each => each.className.match(/language-(\\w+)/)[1])";
  const tab = await open('shared-gateway.html');
  expect(new Set(await tab.evaluate<string[]>(shown))).toEqual(new Set(['ts']));

  await tab.click('.vp-code-group label:nth-of-type(2)');
  await eventually(async () => (await tab.evaluate<string[]>(shown)).every(language => language === 'python'));

  const next = await open('kamaji.html');
  await eventually(async () => (await next.evaluate<string[]>(shown)).every(language => language === 'python'));
  expect([...tab.complaints, ...next.complaints]).toEqual([]);
});

test('another version is one choice away', async () => {
  const tab = await open('dns.html');
  await eventually(async () => (await tab.evaluate<string[]>("[...document.querySelectorAll('.VPNavBar .versions option')].map(each => each.value)")).join() === '1.1,1.0');

  await tab.evaluate("(() => { const select = document.querySelector('.VPNavBar .versions'); select.value = '1.0'; select.dispatchEvent(new Event('change')); })()");
  await eventually(async () => (await tab.evaluate<string>('location.pathname')) === '/1.0/');
});

test.each([390, 820, 1440, 1920])('pages fit a window of %d pixels, and its bar hides nothing', async width => {
  for (const path of ['', 'choosing.html', 'gateway-api.html', 'api/IngressExposedControlPlaneProps.html', 'examples/']) {
    const tab = await open(path, { width });
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const texts = await tab.evaluate<number>("Math.max(0, ...[...document.querySelectorAll('.VPSidebar .text')].map(each => each.getBoundingClientRect().right - document.querySelector('.VPSidebar').getBoundingClientRect().right))");
    expect(texts).toBe(0);
  }
});

test('the page at the root of the site leads to the newest version', () => {
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('url=./1.1/');
});
