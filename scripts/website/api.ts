import { readFileSync } from 'fs';
import { join } from 'path';

const API = join(__dirname, '..', '..', 'API.md');
const PACKAGE = 'cdk8s-hosted-control-plane';

/** API.md as a page of each type, and one with the maps of them, by their paths on the website. */
export function apiPages(): Map<string, string> {
  const [head, ...rest] = readFileSync(API, 'utf8').split(/^### (?=\w+ <a name)/m);
  const kinds = kindsOf(head);
  const pages = new Map<string, string>();
  let kind = kinds.last;
  const types: { name: string; kind: string; text: string }[] = [];
  for (const part of rest) {
    const name = /^\w+/.exec(part)![0];
    types.push({ name, kind, text: part.replace(/^## \w+ <a name[\s\S]*$/m, '') });
    kind = /^## (\w+) <a name/m.exec(part)?.[1] ?? kind;
  }
  const names = new Set(types.map(({ name }) => name));
  pages.set('api/index', withTypeLinks(`# API\n\n${kinds.maps}`, names, 'index'));
  for (const { name, kind: ofKind, text } of types) {
    pages.set(`api/${name}`, typePage(name, ofKind, text, names));
  }
  return pages;
}

/** The maps that scripts/api-map.ts put at the top, and what the first types are. */
function kindsOf(head: string): { maps: string; last: string } {
  const maps = head.slice(head.indexOf('## Where to start'), head.indexOf('## Constructs <a')).trimEnd();
  return { maps, last: 'Constructs' };
}

function typePage(name: string, kind: string, text: string, names: ReadonlySet<string>): string {
  const body = text.split('\n').slice(1).join('\n')
    .replace(/^(#{4,6}) (.*?) <a name="[^"]*" id="([^"]*)"><\/a>$/gm, (_, level: string, title: string, id: string) => `${level.slice(2)} ${title
      .replace('<sup>Required</sup>', '').replace('<sup>Optional</sup>', ' <Badge type="info" text="optional" />')}${idOf(id, name)}`)
    .replace(/^---\n/gm, '')
    .split(/(^```[\s\S]*?^```$)/m).map((part, i) => i % 2 === 1 ? part : part.split('\n').map(withoutElements).join('\n')).join('');
  return `---\noutline: [2, 3]\n---\n# ${name}\n\n*${SINGULAR[kind] ?? kind}* of \`${PACKAGE}\`\n\n${withTypeLinks(body, names, name)}`;
}

/** In braces VitePress looks for attributes of an element, and in angle brackets for elements, where docstrings have a type or a placeholder. */
function withoutElements(line: string): string {
  return line.startsWith('#') ? line
    : line.split(/(`[^`]*`)/).map((part, i) => i % 2 === 1 ? part : part.replace(/\{/g, '&#123;').replace(/<(?!\/?(code|sup|a|br)\b)/g, '&lt;')).join('');
}

const SINGULAR: { readonly [kind: string]: string } = { Constructs: 'Construct', Structs: 'Struct', Classes: 'Class', Protocols: 'Interface', Enums: 'Enum' };

/** `cdk8s-hosted-control-plane.Foo.property.bar` is `property.bar` on the page of Foo. */
function idOf(id: string, name: string): string {
  const prefix = `${PACKAGE}.${name}.`;
  return id.startsWith(prefix) ? ` {#${id.slice(prefix.length)}}` : '';
}

function withTypeLinks(text: string, names: ReadonlySet<string>, page: string): string {
  return text.replace(/<a href="#([^"]+)">([^<]*)<\/a>/g, (_, target: string, label: string) => {
    const [, name, , member] = /^cdk8s-hosted-control-plane\.(\w+)(\.(.+))?$/.exec(target) ?? [];
    if (name === undefined || !names.has(name)) {
      return label;
    }
    const anchor = member === undefined ? '' : `#${member}`;
    return `[${label}](${name === page ? anchor || `./${name}.md` : `./${name}.md${anchor}`})`;
  });
}
