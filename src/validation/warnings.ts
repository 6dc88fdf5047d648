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
    const texts = scope.node.findAll().flatMap(construct => construct.node.metadata)
      .filter(entry => entry.type === METADATA_TYPE)
      .map(entry => entry.data as string);
    return [...new Set(texts)];
  }

  /** @internal */
  public static _add(scope: IConstruct, text: string): void {
    scope.node.addMetadata(METADATA_TYPE, text);
    const known = emitted.get(scope.node.root) ?? new Set<string>();
    emitted.set(scope.node.root, known);
    if (!known.has(text)) {
      known.add(text);
      process.emitWarning(text, 'HostedControlPlaneWarning');
    }
  }

  private constructor() {}
}

/** A platform of a thousand tenants says a thing once. */
const emitted = new WeakMap<IConstruct, Set<string>>();
