import { Adoption } from './adopt';
import { Expression, Fields } from './code/expression';
import { comment, importsOf, literal, typescriptOf } from './code/typescript';
import { Kept, pointer } from './difference/keep';
import { OF_PLUS } from './modules';
import { constructProps } from './synthesize';

const INDENT = '  ';
/** What the program says of each property that goes with the old way. */
const LAST_STEP = 'Until the last step of the plan';

/**
 * The program that describes control planes, with the same constructs as `adopt` has made here.
 *
 * No name in it comes from an object: texts of objects stand in literals and comments alone.
 */
export function programOf(adoptions: Adoption[], controller: Expression): string {
  const tcpProxies = adoptions.some(({ description }) => description.tcpProxy);
  const usesController = adoptions.some(adoption => adoption.controller === controller);
  const ids = constructIds(adoptions);
  const blocks = adoptions.map((adoption, i) => blockOf(adoption, ids[i], adoption.controller === controller));
  return [
    '// What runs already, as code: written by "cdk8s-hosted-control-plane adopt", and yours from now on. plan.md has the next steps.',
    ...imports(adoptions, controller, tcpProxies),
    '',
    'export const app = new App();',
    "const management = new Chart(app, 'management');",
    ...tcpProxies ? ["const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });"] : [],
    ...usesController ? ['// What routes at the shared address.', `const controller = ${typescriptOf(controller)};`] : [],
    '',
    blocks.join('\n'),
    'app.synth();',
    '',
  ].join('\n');
}

/** A namespace has no dot in it, so that two pairs of names never have one id. */
export function constructIds(adoptions: Adoption[]): string[] {
  const used = new Map<string, number>();
  return adoptions.map(({ description: { props } }) => {
    const id = `${String(props.namespace)}.${String(props.name)}`;
    const times = used.get(id) ?? 0;
    used.set(id, times + 1);
    return times === 0 ? id : `${id}.${times}`;
  });
}

function blockOf(adoption: Adoption, id: string, sharesController: boolean): string {
  const { description: { controlPlane: { system, source }, tcpProxy, rules, platformProps }, kept, oldWay, refused } = adoption;
  const ends = rules.oldWayProps.filter(name => Object.hasOwn(platformProps, name));
  // A program that lints has no name that nobody uses.
  const name = tcpProxy || kept.length + oldWay.length > 0 ? 'const controlPlane = ' : '';
  return [
    `// ${comment(`${system}: ${source.kind} ${source.namespace}/${source.name}`)}`,
    ...refused.map(reason => `// ${comment(`The library refuses a value that runs, so it is kept as it is, or named in plan.md: ${reason}`)}`),
    ...ends.map(property => `// ${LAST_STEP}: ${property} of the platform is the old way to it.`),
    '{',
    `${INDENT}${name}new IngressExposedControlPlane(management, ${literal(id)}, ${construct(adoption, sharesController)});`,
    ...kept.length === 0 ? [] : [`${INDENT}// As it runs: what the library has no property for.`, patchesOf(kept)],
    ...oldWay.length === 0 ? [] : [`${INDENT}// ${LAST_STEP}: the address that nodes and people know. Remove these lines then.`, patchesOf(oldWay)],
    ...tcpProxy ? [`${INDENT}new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });`] : [],
    '}',
    '',
  ].join('\n');
}

function construct({ description, controller }: Adoption, sharesController: boolean): string {
  const { controller: own, ...props } = constructProps(description, controller) as Fields & { readonly controller: Expression };
  const text = typescriptOf(props, INDENT);
  const body = text.startsWith('{ ') ? `{\n${INDENT}${INDENT}${text.slice(2, -2)},\n${INDENT}}` : text;
  const last = sharesController ? 'controller' : `controller: ${typescriptOf(own, INDENT + INDENT)}`;
  return body.replace(/\n {2}\}$/, `\n${INDENT}${INDENT}${last},\n${INDENT}}`);
}

function patchesOf(patches: Kept[]): string {
  const lines = patches.map(({ path, value, instead }) =>
    `${INDENT}${INDENT}JsonPatch.${instead ? 'replace' : 'add'}(${literal(pointer(path))}, ${typescriptOf(value as Expression, INDENT + INDENT)}),`);
  return `${INDENT}controlPlane.platformObject.addJsonPatch(\n${lines.join('\n')}\n${INDENT});`;
}

function imports(adoptions: Adoption[], controller: Expression, tcpProxies: boolean): string[] {
  const used = adoptions.flatMap(({ description, controller: own }) => importsOf(constructProps(description, own)));
  const names = new Set([...used, ...adoptions.some(each => each.controller === controller) ? importsOf(controller) : []]);
  const patches = adoptions.some(({ kept, oldWay }) => kept.length + oldWay.length > 0);
  const library = ['IngressExposedControlPlane', ...tcpProxies ? ['TcpProxyAddon', 'TenantCharts', 'TenantDelivery'] : [], ...[...names].filter(name => !OF_PLUS.includes(name))];
  const plus = OF_PLUS.filter(name => names.has(name));
  return [
    `import { App, Chart${patches ? ', JsonPatch' : ''} } from 'cdk8s';`,
    `import {\n${[...new Set(library)].sort().map(name => `${INDENT}${name},\n`).join('')}} from 'cdk8s-hosted-control-plane';`,
    ...plus.length === 0 ? [] : [`import { ${plus.join(', ')} } from 'cdk8s-plus-30';`],
  ];
}
