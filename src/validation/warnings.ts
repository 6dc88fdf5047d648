import { IConstruct } from 'constructs';

const METADATA_TYPE = 'hosted-control-plane:warning';

/**
 * Things that work but that an operator should know of.
 *
 * cdk8s has no channel for warnings of its own, so they go to Node.js' (`process.emitWarning`, on standard
 * error, silenced with `NODE_OPTIONS=--no-warnings`) and into the construct's metadata.
 */
export class Warnings {
  /** The texts recorded on a construct and everything below it, each once. */
  public static of(scope: IConstruct): string[] {
    const texts = scope.node.findAll().flatMap(construct => [
      ...construct.node.metadata.filter(entry => entry.type === METADATA_TYPE).map(entry => entry.data as string),
      ...(included.get(construct) ?? []).flatMap(Warnings.of),
    ]);
    return [...new Set(texts)];
  }

  /** @internal */
  public static _add(scope: IConstruct, text: string): void {
    scope.node.addMetadata(METADATA_TYPE, text);
    const known = emittedIn(scope.node.root);
    if (!known.has(text)) {
      known.add(text);
      process.emitWarning(text, 'HostedControlPlaneWarning');
    }
  }

  /** @internal Has another tree be a part of a construct: its warnings are the construct's, and said once in both. */
  public static _include(holder: IConstruct, root: IConstruct): void {
    const roots = included.get(holder) ?? [];
    roots.push(root);
    included.set(holder, roots);
    emitted.set(root, emittedIn(holder.node.root));
  }

  private constructor() {}
}

/** A platform of a thousand tenants says a thing once. */
const emitted = new WeakMap<IConstruct, Set<string>>();
const included = new WeakMap<IConstruct, IConstruct[]>();

function emittedIn(root: IConstruct): Set<string> {
  const known = emitted.get(root) ?? new Set<string>();
  emitted.set(root, known);
  return known;
}
