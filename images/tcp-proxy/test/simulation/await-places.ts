import * as ts from 'typescript';

/** One `await` of the agent's sources. */
export interface AwaitPlace {
  /** Its file and what it waits for; the number tells those that are alike in a file from each other. */
  readonly name: string;
  /** How often something was waited for. */
  reached: number;
  /** How often that failed. */
  failed: number;
}

/** What became of all of them. */
export interface AwaitFigures {
  readonly all: number;
  readonly reached: number;
  /** Of which something failed, in whatever run. */
  readonly failed: number;
  /** Where no run has waited for anything. */
  readonly unreached: readonly string[];
}

/** By what the bundle calls the counter. */
export const COUNTER = '__awaited';

/** Comments of esbuild say which file the lines after them are of. */
const FILE = /^\/\/ (?:.*\/)?images\/tcp-proxy\/src\/(.+)$/;
const SHOWN_CHARACTERS = 90;

/** Counts what the agent waits for, by place in its sources: none may be one that no scenario comes to. */
export class AwaitPlaces {
  public readonly places: AwaitPlace[] = [];

  /** What the instrumented program calls with whatever it waits for. */
  public readonly counter = (number: number, awaited: unknown): unknown => {
    const place = this.places[number];
    place.reached++;
    if (awaited instanceof Promise) {
      awaited.then(undefined, () => {
        place.failed++;
      });
    }
    return awaited;
  };

  public figures(): AwaitFigures {
    const { places } = this;
    const unreached = places.filter(({ reached }) => reached === 0).map(({ name }) => name);
    return { all: places.length, reached: places.length - unreached.length, failed: places.filter(({ failed }) => failed > 0).length, unreached };
  }

  /** @returns the bundle, with a call of the counter in each `await` */
  public instrument(bundle: string): string {
    const source = ts.createSourceFile('agent.js', bundle, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
    const files = filesOf(bundle);
    const alike = new Map<string, number>();
    const inserts: [at: number, text: string][] = [];
    const visit = (node: ts.Node) => {
      const awaited = ts.isAwaitExpression(node) || ts.isForOfStatement(node) && node.awaitModifier ? node.expression : undefined;
      const file = awaited && files(source.getLineAndCharacterOfPosition(node.getStart()).line);
      if (awaited && file) {
        const text = awaited.getText().replace(/\s+/g, ' ').replace(/\(0, (?:\w+\.)?(\w+)\)|\bimport_\w+\./g, '$1').slice(0, SHOWN_CHARACTERS);
        const count = (alike.get(file + text) ?? 0) + 1;
        alike.set(file + text, count);
        inserts.push([awaited.getStart(), `${COUNTER}(${this.places.length}, `], [awaited.getEnd(), ')']);
        this.places.push({ name: `${file}: ${text}${count > 1 ? ` (${count})` : ''}`, reached: 0, failed: 0 });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    // At one place, what ends before what begins, and what begins first is around the rest.
    const ordered = inserts.map((insert, order) => ({ insert, order })).sort((a, b) => a.insert[0] - b.insert[0] || a.order - b.order);
    let [text, from] = ['', 0];
    for (const { insert: [at, added] } of ordered) {
      text += bundle.slice(from, at) + added;
      from = at;
    }
    return text + bundle.slice(from);
  }
}

function filesOf(bundle: string): (line: number) => string | undefined {
  let file: string | undefined;
  const files = bundle.split('\n').map(line => {
    if (line.startsWith('// ') && /\.[jt]s$/.test(line)) file = FILE.exec(line)?.[1];
    return file;
  });
  return line => files[line];
}
