import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { createServer } from 'http';
import { AddressInfo } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { pathToFileURL } from 'url';
import { Browser } from './support/browser';
import { provided } from './support/provided';
import { Tab, TabOptions } from './support/tab';
import { LiveFacts } from '../../src/report-page/live-facts';
import { reportPage } from '../../src/report-page/page';
import { PageDocument } from '../../src/report-page/page-document';
import { eventually } from '../data-path/support/eventually';
import { keep, stopParts } from '../data-path/support/parts';
import { controlPlane, liveFacts, pageDocument } from '../report-page/documents';

const CHROMIUM = provided('chromium');
const TENANTS = Array.from({ length: 1000 }, (_, i) => ({ ...controlPlane(`tenant-${String(i).padStart(4, '0')}`), namespace: `team-${String(i % 40).padStart(2, '0')}` }));
const THOUSAND: PageDocument = { ...pageDocument([]), controlPlanes: TENANTS };
const SEEN: LiveFacts = {
  ...liveFacts([]),
  tenants: liveFacts(TENANTS.map(({ name }) => name)).tenants.map((each, i) => ({ ...each, namespace: TENANTS[i].namespace })),
};

/** Tenants that are seen, not those in closed folds. */
const VISIBLE = "[...document.querySelectorAll('.tenant')].filter(tenant => !tenant.hidden && tenant.parentElement.open && !tenant.parentElement.hidden).map(tenant => tenant.querySelector('.name').textContent)";
const OPEN = "document.querySelectorAll('details.namespace[open]').length";

let browser: Browser;
let folder: string;
let tabs: Tab[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-page-'));
  browser = Browser.start(CHROMIUM);
});

afterEach(async () => {
  await Promise.all(tabs.map(tab => tab.close()));
  tabs = [];
  await stopParts();
});

afterAll(async () => {
  await browser.stop();
  rmSync(folder, { recursive: true });
});

async function open(page: string, options?: TabOptions): Promise<{ tab: Tab; url: string }> {
  const file = join(folder, 'page.html');
  writeFileSync(file, page);
  const url = pathToFileURL(file).href;
  const tab = await Tab.open(browser, url, options);
  tabs.push(tab);
  return { tab, url };
}

describe('the page of 1,000 tenants, in a browser', () => {
  test('opens without a complaint, and asks for nothing', async () => {
    const { tab, url } = await open(reportPage(THOUSAND, SEEN));

    expect(await tab.evaluate('document.title')).toBe('Control planes');
    expect(await tab.evaluate("document.querySelectorAll('.tenant').length")).toBe(1000);
    expect(await tab.evaluate("getComputedStyle(document.querySelector('.tile')).borderRadius")).toBe('12px');
    expect(tab.complaints).toEqual([]);
    expect(tab.requests.filter(each => !each.startsWith('data:'))).toEqual([url]);
  });

  test('finds one of them by any of its words, and comes back to what was folded', async () => {
    const { tab } = await open(reportPage(THOUSAND));
    expect(await tab.evaluate(OPEN)).toBe(0);
    await tab.click('#n3 > summary');
    await eventually(async () => await tab.evaluate(OPEN) === 1);

    await tab.type('#search', 'TENANT-0417 c0ffee');
    await eventually(async () => await tab.evaluate("document.getElementById('found').value") === '1 of 1,000');
    expect(await tab.evaluate(VISIBLE)).toEqual(['tenant-0417']);

    await tab.type('#search', 'team-07');
    await eventually(async () => await tab.evaluate("document.getElementById('found').value") === '25 of 1,000');
    expect(await tab.evaluate(VISIBLE)).toHaveLength(25);

    await tab.type('#search', 'no such tenant');
    await eventually(() => tab.evaluate("!document.getElementById('nothing').hidden"));
    expect(await tab.evaluate(VISIBLE)).toEqual([]);

    await tab.type('#search', '');
    await eventually(() => tab.evaluate("document.getElementById('nothing').hidden"));
    expect(await tab.evaluate("document.getElementById('found').value")).toBe('');
    expect(await tab.evaluate(OPEN)).toBe(1);
    expect(await tab.evaluate("document.querySelector('#n3').open")).toBe(true);
    expect(await tab.evaluate("document.querySelectorAll('.tenant[hidden], .namespace[hidden]').length")).toBe(0);
    expect(tab.complaints).toEqual([]);
  });

  test('unfolds and folds', async () => {
    const { tab } = await open(reportPage(THOUSAND));

    await tab.click('#unfold');
    await eventually(async () => await tab.evaluate(OPEN) === 40);
    await tab.click('.tenant > summary');
    await eventually(() => tab.evaluate("document.querySelector('.tenant').open"));
    expect(await tab.evaluate("document.querySelector('.tenant table').getBoundingClientRect().height")).toBeGreaterThan(0);

    await tab.click('#fold');
    await eventually(async () => await tab.evaluate(OPEN) === 0);
    expect(await tab.evaluate("document.querySelector('.tenant').open")).toBe(false);
  });

  test('leads from a box of the topology to its namespace', async () => {
    const { tab } = await open(reportPage(THOUSAND));

    await tab.click('.topology a');
    await eventually(() => tab.evaluate("document.querySelector('#n0').open"));
    const top = await tab.evaluate<number>("document.querySelector('#n0').getBoundingClientRect().top");
    expect(top).toBeGreaterThanOrEqual(-1);
    expect(top).toBeLessThan(900);
  });

  test('prints with every tenant, and is folded afterwards as it was', async () => {
    const { tab } = await open(reportPage(THOUSAND, SEEN));

    const pdf = (await tab.print()).toString('latin1');

    expect(pdf.slice(0, 5)).toBe('%PDF-');
    // A line is more than 4 mm high, and a page less than 300.
    expect(pdf.match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(1000 * 4 / 300);
    expect(await tab.evaluate(OPEN)).toBe(0);
    expect(tab.complaints).toEqual([]);
  });

  test('is whole without a script, but for what needs one', async () => {
    const { tab } = await open(reportPage(THOUSAND), { withoutScript: true });

    expect(await tab.evaluate("document.querySelectorAll('.tenant').length")).toBe(1000);
    expect(await tab.evaluate("getComputedStyle(document.querySelector('.controls')).display")).toBe('none');
    await tab.click('#n0 > summary');
    await eventually(() => tab.evaluate("document.querySelector('#n0').open"));
    expect(tab.complaints).toEqual([]);
  });

  test.each([390, 820, 1600])('fits a window of %d pixels', async width => {
    const { tab } = await open(reportPage(THOUSAND, SEEN), { width });

    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });
});

describe('a hostile name', () => {
  const EVIL = [
    '<script>window.owned = 1</script>', '"><img src=x onerror="window.owned=1">', "' onload='window.owned=1", '</title><script>window.owned=1</script>',
    '</svg><script>window.owned=1</script>', '<!--', '<style>*{display:none}</style>', '&lt;b&gt;', '{{constructor.constructor("alert(1)")()}}', 'javascript:window.owned=1',
  ];

  test.each(EVIL)('%s is read as it is, and does nothing', async evil => {
    const text = (what: string) => `${what} ${evil}`;
    const { tab, url } = await open(reportPage(pageDocument([`one ${evil}`], text), liveFacts([`one ${evil}`], text)));

    expect(await tab.evaluate("document.querySelector('.tenant .name').textContent")).toBe(`one ${evil}`);
    expect(await tab.evaluate('document.title')).toBe(`Control planes ${evil}`);
    expect(await tab.evaluate("document.querySelector('.topology .served .title, .topology .broken .title').textContent.length")).toBeGreaterThan(3);
    expect(await tab.evaluate('window.owned')).toBeUndefined();
    expect(tab.complaints).toEqual([]);
    expect(tab.requests.filter(each => !each.startsWith('data:'))).toEqual([url]);
  });

  test('would do nothing either if it came through: the policy of the page refuses scripts, styles and requests', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => { asked.push(request.url); response.end(); });
    keep({ stop: () => { server.closeAllConnections(); server.close(); } });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const through = `<script>window.owned = 1</script><script src="${origin}/script"></script><img src="${origin}/picture" onerror="window.owned = 2"><style>h1 { color: red; }</style>`
      + `<link rel="stylesheet" href="${origin}/style"><base href="${origin}/">`;
    const { tab } = await open(reportPage(pageDocument(['one'])).replace('<main>', `<main>${through}`));

    expect(await tab.evaluate('window.owned')).toBeUndefined();
    expect(await tab.evaluate("getComputedStyle(document.querySelector('h1')).color")).not.toBe('rgb(255, 0, 0)');
    await eventually(() => tab.complaints.filter(each => each.includes('Content Security Policy')).length >= 5);
    expect(asked).toEqual([]);
  });
});
