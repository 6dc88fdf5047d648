import { existsSync, readFileSync } from 'fs';
import { join } from 'path';
import { packedReadme } from '../../scripts/packed-readme';
import { anchorOf } from '../../scripts/website/anchor';

const ROOT = join(__dirname, '..', '..');
const REPOSITORY = 'https://github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane';
const FILES = 'https://raw.githubusercontent.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane';
const packed = packedReadme(readFileSync(join(ROOT, 'README.md'), 'utf8'), 'v1.2.3');
const targets = [...packed.matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, mark, target]) => ({ picture: mark === '!', target }));

describe('the README that packages have', () => {
  test('has no Mermaid, which registries do not draw, and nothing else is missing', () => {
    expect(packed).not.toContain('mermaid');
    expect(packed).toContain('![Pods, kubelets, konnectivity agents and kubectl reach');
    expect(packed.match(/^#.*$/gm)).toEqual(readFileSync(join(ROOT, 'README.md'), 'utf8').match(/^#.*$/gm));
  });

  test('has more than one picture and many links, all of them absolute', () => {
    expect(targets.filter(({ picture }) => picture).length).toBeGreaterThan(1);
    expect(targets.length).toBeGreaterThan(40);
    expect(targets.filter(({ target }) => !target.startsWith('https://'))).toEqual([]);
  });

  test.each(targets.filter(({ picture }) => picture).map(({ target }) => target))('the picture %s is in the repository', target => {
    expect(target.startsWith(`${FILES}/v1.2.3/`)).toBe(true);
    expect(existsSync(join(ROOT, target.slice(`${FILES}/v1.2.3/`.length)))).toBe(true);
  });

  test.each(targets.filter(({ target }) => target.startsWith(REPOSITORY)).map(({ target }) => target))('the link %s leads to what is in the repository', target => {
    const [, kind, path, anchor] = /\/(blob|tree)\/v1\.2\.3\/([^#]*)(?:#(.*))?$/.exec(target)!;
    expect(existsSync(join(ROOT, path))).toBe(true);
    expect(kind).toBe(/\.\w+$|LICENSE$/.test(path) ? 'blob' : 'tree');
    if (anchor !== undefined) {
      const headings = [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));
      expect(headings).toContain(anchor);
    }
  });
});

test('what is code stays, also where it looks like a link', () => {
  const code = '`[a](docs/dns.md)`\n\n```ts\n// [b](docs/dns.md)\n```\n\n- in a list:\n\n  ```ts\n  // [c](docs/dns.md)\n  ```\n\n[d](docs/dns.md#zones), [`e`](examples), [f](#here), [g](https://example.com)';
  expect(packedReadme(code, 'main').split('\n\n').pop()).toBe(
    `[d](${REPOSITORY}/blob/main/docs/dns.md#zones), [\`e\`](${REPOSITORY}/tree/main/examples), [f](${REPOSITORY}/blob/main/README.md#here), [g](https://example.com)`);
  expect(packedReadme(code, 'main').split('\n\n').slice(0, -1)).toEqual(code.split('\n\n').slice(0, -1));
});
