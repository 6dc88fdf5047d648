import { packages } from './assemblies';

/*
 * Java as jsii-rosetta writes it, put right where it is wrong by rule: the imports of structs, and the types of lists. What is wrong otherwise does not compile, and is
 * not shown.
 */
const OF_JAVA = { List: 'java.util.List', Map: 'java.util.Map' };

export function javaCode(rosetta: string): string {
  const body = rosetta.replace(/^import [\w.]+;\n/gm, '').replace(/\b([A-Z]\w*)\[\] (\w+) = List\.of\(/g, 'List<$1> $2 = List.of(');
  return /^import [\w.]+;$/m.test(rosetta) ? `${importsOf(body)}\n${body.trimStart()}` : body;
}

function importsOf(body: string): string {
  const code = body.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\/\/.*/g, '');
  const names = new Set([...code.matchAll(/(?<![.\w])[A-Z]\w*/g)].map(([name]) => name));
  const imports = [...names].flatMap(name => {
    const own = packages().find(({ types }) => types.some(type => type.name === name));
    return Object.hasOwn(OF_JAVA, name) ? [OF_JAVA[name as keyof typeof OF_JAVA]] : own === undefined ? [] : [`${own.java}.${name}`];
  });
  return imports.sort().map(name => `import ${name};\n`).join('');
}
