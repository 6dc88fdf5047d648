import { createHash } from 'crypto';
import * as fc from 'fast-check';
import { controlPlane, liveFacts, pageDocument } from './documents';
import { reportPage } from '../../src/report-page/page';
import { PageDocument } from '../../src/report-page/page-document';

const NAMES = ['one', 'two', 'three'];

/** Elements and attributes in their order, without what texts and numbers make of them. */
function skeleton(page: string): string[] {
  return page.replace(/<(style|script)>[^]*?<\/\1>/g, '<$1>').match(/<[^>]*>/g)!.map(tag => tag.replace(/"[^"]*"/g, '""'));
}

/** What is read in the browser. */
function textOf(page: string): string {
  return page.replace(/<(style|script)>[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe('a page', () => {
  const page = reportPage(pageDocument(NAMES), liveFacts(NAMES));

  test('lets its own script and style run, and nothing else', () => {
    const hash = (element: string) => `'sha256-${createHash('sha256').update(new RegExp(`<${element}>([^]*?)</${element}>`).exec(page)![1]).digest('base64')}'`;
    const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)!;

    expect(policy.replace(/&#39;/g, "'").split('; ')).toEqual([
      "default-src 'none'", `style-src ${hash('style')}`, `script-src ${hash('script')}`, 'img-src data:', "base-uri 'none'", "form-action 'none'",
    ]);
    expect(page.match(/<(style|script)\b/g)).toEqual(['<style', '<script']);
    expect(page).not.toMatch(/\s(style|on\w+)=/);
  });

  test('names nothing that a browser would fetch', () => {
    expect(page.match(/\s(?:src|href|srcset|action|data|poster)="[^"]*"/g)!.filter(each => !/^ href="(#|data:,")/.test(each))).toEqual([]);
    expect(page).not.toMatch(/url\(|@import|<(iframe|object|embed|base|img|video|audio)\b/);
  });

  test('has no texts of users in its script', () => {
    expect(/<script>[^]*?<\/script>/.exec(page)![0]).toBe(/<script>[^]*?<\/script>/.exec(reportPage({ title: '', sharedAddresses: [], controlPlanes: [] }))![0]);
  });

  test('is the same whatever texts are: they make no element and no attribute', () => {
    const evil = fc.oneof(fc.string({ unit: fc.constantFrom(...'<>&"\'=/ \n`$\u0000x'.split('')), minLength: 1 }), fc.constantFrom(
      '</script><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "'onload='alert(1)", '</title>', '</style>', '<!--', '</svg>', ']]>'));
    const pageWith = (suffix: string) => {
      const names = NAMES.map(name => name + suffix);
      return skeleton(reportPage(pageDocument(names, what => what + suffix), liveFacts(names, what => what + suffix)));
    };
    const plain = pageWith('x');
    fc.assert(fc.property(evil, suffix => {
      expect(pageWith(suffix)).toEqual(plain);
    }), { numRuns: 200 });
  });

  test('says what is known, with numbers first', () => {
    const text = textOf(page);

    expect(text).toContain('3 control planes in 1 namespace');
    expect(text).toContain('10 EUR more in a year'.replace('10', String(Math.round(12 * (20 - 3 * 6.39)))));
    expect(text).toContain('1.34.3 newest Kubernetes the only version');
    expect(text).toContain('6 API servers 0 tenants with one alone');
    expect(text).toContain('2 of 3 healthy seen 2026-11-28');
    expect(text).toContain('2026-11-29 first certificate expires in 1 day');
    expect(text).toContain('639.00 EUR 20.00 EUR 619.00 EUR 7,428.00 EUR');
  });

  test('counts no savings for who has an address of its own, or whom no host leads to', () => {
    const { routes: [api], ...rest } = controlPlane('apart');
    const own = { ...rest, routes: [{ ...api, foundBy: 'own-address' }] };
    const document = pageDocument(Array.from({ length: 10 }, (_, i) => `t${i}`));

    expect(textOf(reportPage({ ...document, controlPlanes: [...document.controlPlanes, own, { ...rest, routes: [] }] })))
      .toContain(`${Math.round(12 * (10 * 6.39 - 20))} EUR saved in a year`);
  });

  test('says what to look at, and nothing where there is nothing', () => {
    const [first] = liveFacts(NAMES).tenants;
    const well = { ...liveFacts([]), tenants: [{ ...first, healthy: true, certificates: [], readyReplicas: 2 }] };

    expect(textOf(page)).toContain('1 tenant not healthy when they were looked at 3 tenants with a certificate that ends within 30 days 1 tenant without a ready API server');
    expect(reportPage(pageDocument(NAMES), well)).not.toContain('<ul class="attention">');
    expect(textOf(reportPage({ ...pageDocument([]), controlPlanes: [{ ...controlPlane('a'), nodes: 'none' }] }))).toContain('1 tenant whose API server has no way to the nodes');
  });

  test('has the certificates that end first, and counts the others', () => {
    const names = Array.from({ length: 40 }, (_, i) => `t${i}`);
    const live = liveFacts(names);
    const text = textOf(reportPage(pageDocument(names), { ...live, tenants: [...live.tenants].reverse() }));

    expect(text).toContain('40 certificates of servers seen at 2026-11-28T12:00:00Z; 29 of them end within 30 days. The 10 that end first: tenant server');
    expect(text).toMatch(/team-a\/t0 API server 2026-11-29 in 1 day yes team-a\/t1 API server 2026-11-30 in 2 days no/);
    expect(text).not.toContain('2026-12-09 in 11 days');
  });

  test('says that certificates were not looked at where nobody did', () => {
    expect(textOf(reportPage(pageDocument(NAMES)))).toContain('When they end is not in manifests');
    expect(textOf(reportPage(pageDocument(NAMES)))).toContain('from the definition of the platform alone; nothing of it was looked at');
  });

  test('leaves out what nobody knows', () => {
    const { name, namespace, routes } = controlPlane('bare');
    const bare = textOf(reportPage({ title: 'Bare', sharedAddresses: [], controlPlanes: [{ name, namespace, routes }] }));

    expect(bare).toContain('1 control plane behind one shared address.');
    expect(bare).not.toMatch(/undefined|NaN|not known|Costs|API servers? |newest/);
  });

  test('of nothing is a page', () => {
    expect(textOf(reportPage({ title: 'Empty', sharedAddresses: [], controlPlanes: [] }))).toContain('0 control planes behind one shared address.');
  });

  test('draws few tenants one by one, and many by their namespaces, of which the largest have boxes', () => {
    const many = Array.from({ length: 1000 }, (_, i) => ({ ...controlPlane(`t${i}`), namespace: `team-${Math.floor(Math.sqrt(i))}` }));
    const boxes = (document: PageDocument) => reportPage(document).match(/<g class="served"><title>[^<]*/g)!.map(each => each.replace(/.*>/, ''));

    expect(boxes(pageDocument(NAMES))).toEqual(NAMES);
    expect(boxes({ ...pageDocument([]), controlPlanes: many }).slice(0, 2)).toEqual(['team-30', 'team-29']);
    expect(boxes({ ...pageDocument([]), controlPlanes: many })).toHaveLength(12);
    expect(boxes({ ...pageDocument([]), controlPlanes: many })[11]).toBe('21 further namespaces');
  });
});
