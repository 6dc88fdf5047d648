import * as cdk8s from 'cdk8s';
import * as plus from 'cdk8s-plus-30';
import * as library from '../../src';
import { EXAMPLE_VERSION } from '../example-versions';

/*
 * The TypeScript blocks of the pages as whole programs. A block may use what its reader has by then: the names below, and everything that the packages
 * export. A block with imports is a whole program already.
 */
const GIVEN = {
  dns: "const dns = new TenantDns({ exposures, zones, target: DnsTarget.addresses(['10.0.0.50', 'fd00::50']) });",
  exposures: 'const exposures = [controlPlane.exposure];',
  zones: "const zones = ['k8s.example.com', 'konnectivity.example.com'];",
  app: 'const app = new App();',
  management: "const management = new Chart(app, 'management');",
  tenant: "const tenant = new Chart(app, 'tenant-01');",
  gateway: "const gateway = new SharedIngressGateway(management, 'shared-ingress', { namespace: 'shared-ingress' });",
  controlPlane: `const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
    namespace: 'tenants', kubernetesVersion: 'VERSION', domain: 'example.com', konnectivity: {},
    platform: ControlPlanePlatform.PLATFORM(), controller: IngressController.haproxy(),
  });`,
};
const EXPORTS = {
  'cdk8s': Object.keys(cdk8s),
  'cdk8s-plus-30': Object.keys(plus).filter(name => !(name in cdk8s)),
  'cdk8s-hosted-control-plane': Object.keys(library),
  'fs': ['mkdirSync', 'writeFileSync'],
};

export interface CodeBlock {
  /** Of the line with the fence, from 0. */
  readonly line: number;
  /** How far it is indented, e.g. in a list. */
  readonly indent: string;
  /** As it is read, without the indentation. */
  readonly text: string;
  /** What stands before it in the whole program: imports and given names. */
  readonly before: string;
}

/** The blocks of a page that start with three backticks and `ts`. */
export function codeBlocks(document: string, markdown: string): CodeBlock[] {
  const lines = markdown.split('\n');
  const found: CodeBlock[] = [];
  for (let line = 0; line < lines.length; line++) {
    const indent = /^( *)```ts$/.exec(lines[line])?.[1];
    if (indent !== undefined) {
      const end = lines.indexOf(`${indent}\`\`\``, line);
      const text = lines.slice(line + 1, end).map(each => each.slice(indent.length)).join('\n');
      found.push({ line, indent, text, before: missingFrom(text, document) });
      line = end;
    }
  }
  return found;
}

/** The `@example` of docstrings in a source of the library. */
export function examplesIn(file: string, source: string): CodeBlock[] {
  return [...source.matchAll(/^( *)\* @example\n((?:\1\*(?! @|\/).*\n)+)/gm)].map(({ index, 1: indent, 2: comment }) => {
    const text = comment.trimEnd().split('\n').map(line => line.slice(indent.length + 2)).join('\n');
    return { line: source.slice(0, index).split('\n').length - 1, indent, text, before: missingFrom(text, file) };
  });
}

/** The whole program of a block. */
export function programOf({ before, text }: CodeBlock): string {
  return before === '' ? text : `${before}\n${text}\nexport {};`;
}

/** The imports, and the given names that a block uses and does not declare. */
function missingFrom(block: string, document: string): string {
  if (/^import /m.test(block)) {
    return '';
  }
  const uses = (text: string, name: string) => new RegExp(`(?<![.\\w])${name}\\b(?!\\??:)|[{,] *${name} *[,}]`).test(text);
  const declares = (name: string) => new RegExp(`(?:const|let|function|class) ${name}\\b`).test(block);
  let given = '';
  for (const name of ['dns', 'exposures', 'zones', 'controlPlane', 'gateway', 'tenant', 'management', 'app'] as const) {
    if (!declares(name) && (uses(`${given}${block}`, name) || name === 'app')) {
      given = `${GIVEN[name].replace('PLATFORM', document.includes('k0smotron') ? 'k0smotron' : 'kamaji').replace('VERSION', EXAMPLE_VERSION)}\n${given}`;
    }
  }
  const imports = Object.entries(EXPORTS).map(([module, names]) => {
    const used = names.filter(name => new RegExp(`(?<![.\\w'])${name}\\b`).test(`${given}${block}`) && !declares(name));
    return used.length === 0 ? '' : `import { ${used.join(', ')} } from '${module}';\n`;
  });
  return `${imports.join('')}${given}`.trimEnd();
}
