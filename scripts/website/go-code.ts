import { memberOf, packages, Parameter, Type, typeOf } from './assemblies';

/*
 * Go as jsii-rosetta writes it, put right where it is wrong by rule: packages of structs and imports, `nil` for what is left out, pointers to lists and maps, and the
 * properties of classes, which are methods in Go. What is wrong otherwise does not compile, and is not shown.
 */
export function goCode(rosetta: string): string {
  const body = [withNames, withPackages, withPointers, withTexts, (code: string) => withMembers(code)].reduce((code, fix) => fix(code), rosetta.replace(/^import ".*"\n/gm, ''));
  return /^import "/m.test(rosetta) ? `${importsOf(body)}\n${body.trimStart()}` : body;
}

function importsOf(body: string): string {
  const used = [['jsii', 'github.com/aws/jsii-runtime-go'], ...packages().map(({ go, goImport }) => [go, goImport])]
    .filter(([name]) => new RegExp(`(?<![.\\w"])${name}\\.`).test(body.replace(/\/\/.*/g, ''))).map(([, path]) => `import "${path}"\n`);
  return used.join('');
}

const packageOf = (name: string, kinds: readonly Type['kind'][]) => packages().find(({ types }) => types.some(type => type.name === name && kinds.includes(type.kind)));

/** Structs and elements of lists. */
function withPackages(code: string): string {
  return code.replace(/(&|\[\]\*?)([A-Z]\w*)(?=\{)/g, (whole, mark: string, name: string) => {
    const found = packageOf(name, ['interface', 'class']);
    if (found === undefined) return whole;
    const struct = found.types.some(type => type.name === name && type.datatype);
    return mark === '&' ? `&${found.go}.${name}` : `[]${struct ? '*' : ''}${found.go}.${name}`;
  });
}

/** Lists and maps are given by pointers. */
function withPointers(code: string): string {
  return code.replace(/(?<![&\]\w*]|range )(\[\]|map\[string\])(?=[\w*.[\]{}]*\{)/g, '&$1');
}

/** What is called otherwise in Go. */
function withNames(code: string): string {
  return code.replace(/jsii\.Boolean\(/g, 'jsii.Bool(').replace(/(?<=\*)f64\b/g, 'float64');
}

/** Texts in lists. */
function withTexts(code: string): string {
  return code.replace(/^(\s*)("(?:[^"\\]|\\.)*")(,?)$/gm, '$1jsii.String($2)$3');
}

/** What is known of the variables of a program. */
type Variables = Map<string, Type>;

/** Calls with `nil` for parameters that are left out, and properties as methods, as far as the types of variables are known. */
function withMembers(code: string, variables: Variables = new Map()): string {
  // A chain begins where a package or a variable does, and goes on as long as its type is known.
  const start = /(?<![.\w"])(?:(\w+) := )?([a-z]\w*)(?=\.[A-Z])/g;
  let out = '';
  let end = 0;
  for (let match = start.exec(code); match; match = start.exec(code)) {
    const [whole, variable, first] = match;
    const found = chain(code, match.index + whole.length, first, variables);
    out += code.slice(end, match.index) + whole + found.text;
    if (variable !== undefined && found.type !== undefined) variables.set(variable, found.type);
    end = start.lastIndex = found.end;
  }
  return out + code.slice(end);
}

interface Chain {
  readonly text: string;
  /** Where it ends in the code. */
  readonly end: number;
  readonly type?: Type;
}

function chain(code: string, from: number, first: string, variables: Variables): Chain {
  const module = packages().find(({ go }) => go === first);
  let type = variables.get(first);
  let text = '';
  let end = from;
  for (let member = /^\.([A-Z]\w*)(\(?)/.exec(code.slice(end)); member; member = /^\.([A-Z]\w*)(\(?)/.exec(code.slice(end))) {
    const [whole, name, call] = member;
    const isStatic = end === from && module !== undefined;
    if (call === '') {
      const property = isStatic ? undefined : memberOf(type, 'properties', lower(name));
      const isGetter = property !== undefined && !type!.datatype;
      text += isGetter ? `${whole}()` : whole;
      end += whole.length;
      type = isGetter ? typeOf(property.type?.fqn) : undefined;
      continue;
    }
    const close = closing(code, end + whole.length - 1);
    const inner = code.slice(end + whole.length, close);
    const called = isStatic ? staticCall(module.types, name) : methodCall(type, name);
    text += `${whole}${argumentsOf(inner, called?.parameters, variables)})`;
    end = close + 1;
    type = called?.type;
  }
  return { text, end, type };
}

interface Called {
  readonly parameters: readonly Parameter[];
  readonly type?: Type;
}

function staticCall(types: readonly Type[], name: string): Called | undefined {
  const made = types.find(type => `New${type.name}` === name);
  if (made !== undefined) return { parameters: initializerOf(made), type: made };
  const owner = types.find(type => name.startsWith(`${type.name}_`));
  const method = memberOf(owner, 'methods', lower(name.slice((owner?.name.length ?? 0) + 1)));
  return method && { parameters: method.parameters ?? [], type: typeOf(method.returns?.type.fqn) };
}

function initializerOf(type: Type): readonly Parameter[] {
  return type.initializer?.parameters ?? (type.base === undefined || typeOf(type.base) === undefined ? [] : initializerOf(typeOf(type.base)!));
}

function methodCall(type: Type | undefined, name: string): Called | undefined {
  const method = memberOf(type, 'methods', lower(name));
  return method && { parameters: method.parameters ?? [], type: typeOf(method.returns?.type.fqn) };
}

function argumentsOf(inner: string, parameters: readonly Parameter[] | undefined, variables: Variables): string {
  const missing = (parameters ?? []).slice(parts(inner)).filter(({ optional }) => optional)
    // An enum has no pointer.
    .map(({ type }) => typeOf(type?.fqn)?.kind === 'enum' ? '""' : 'nil');
  return [withMembers(inner, variables), ...missing].filter(part => part.trim() !== '').join(', ');
}

/** How many arguments stand there. */
function parts(inner: string): number {
  let [depth, commas, quoted] = [0, 0, false];
  for (let i = 0; i < inner.length; i++) {
    const character = inner[i];
    if (character === '"' && inner[i - 1] !== '\\') quoted = !quoted;
    if (quoted) continue;
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (character === ',' && depth === 0) commas++;
  }
  return inner.trim() === '' ? 0 : commas + 1;
}

function closing(code: string, open: number): number {
  let [depth, quoted] = [0, false];
  for (let i = open; i < code.length; i++) {
    if (code[i] === '"' && code[i - 1] !== '\\') quoted = !quoted;
    if (quoted) continue;
    if (code[i] === '(') depth++;
    if (code[i] === ')' && --depth === 0) return i;
  }
  return code.length;
}

function lower(name: string): string {
  return name[0].toLowerCase() + name.slice(1);
}
