import { App } from 'cdk8s';
import { IConstruct } from 'constructs';
import { aroundSynthesis } from './around-synthesis';
import { includedTrees, includeTree } from './included-trees';
import { A_CONSTRUCT } from '../validation/construct';
import { nameFactories } from '../validation/factories';
import { oneLine } from '../validation/one-line';

const METADATA_TYPE = 'hosted-control-plane:warning';
/** How many constructs with one warning are named. */
const NAMED = 3;

/**
 * Things that work but that an operator should know of.
 *
 * cdk8s has no channel for warnings of its own, so they go to Node.js' (`process.emitWarning`, on standard
 * error, silenced with `NODE_OPTIONS=--no-warnings`) when the app is synthesized, and into the construct's metadata. What many
 * constructs have in common is said once, with their paths.
 */
export class Warnings {
  /** The texts recorded on a construct and everything below it, each once. */
  public static of(scope: IConstruct): string[] {
    A_CONSTRUCT('scope', scope);
    const texts = scope.node.findAll().flatMap(construct => [
      ...construct.node.metadata.filter(entry => entry.type === METADATA_TYPE).map(entry => entry.data as string),
      ...conditions.get(construct)?.() ?? [],
      ...includedTrees(construct).flatMap(Warnings.of),
    ]);
    return [...new Set(texts)];
  }

  /** @internal */
  public static _add(scope: IConstruct, text: string): void {
    scope.node.addMetadata(METADATA_TYPE, text);
    const { pending } = logOf(scope.node.root);
    pending.set(text, (pending.get(text) ?? new Set()).add(scope.node.path));
  }

  /**
   * @internal Things that are known only when all constructs are made, such as that one is missing.
   *
   * @param texts those that hold now
   */
  public static _addConditional(scope: IConstruct, texts: () => string[]): void {
    conditions.set(scope, texts);
    logOf(scope.node.root).conditional.push(scope);
  }

  /** @internal Has another tree be a part of a construct: its warnings are the construct's, and said once in both. */
  public static _include(holder: IConstruct, root: IConstruct): void {
    includeTree(holder, root);
    logs.set(root, logOf(holder.node.root));
  }

  private constructor() {}
}

nameFactories(Warnings);

/** What is still to be said of an app, and has been: a text, and the paths of those that it is about. */
interface Log {
  readonly pending: Map<string, Set<string>>;
  readonly said: Set<string>;
  /** Whose conditions have to be looked at. */
  readonly conditional: IConstruct[];
}

const logs = new WeakMap<IConstruct, Log>();
const conditions = new WeakMap<IConstruct, () => string[]>();

function logOf(root: IConstruct): Log {
  const known = logs.get(root);
  if (known) {
    return known;
  }
  const log: Log = { pending: new Map(), said: new Set(), conditional: [] };
  logs.set(root, log);
  if (root instanceof App) {
    aroundSynthesis(root, 'synth', synth => () => {
      // Before, as an error may end it; and after, as some things are only known then.
      emit(log);
      synth();
      emit(log);
    });
  }
  return log;
}

function emit({ conditional, pending, said }: Log): void {
  for (const construct of conditional) {
    conditions.get(construct)!().forEach(text => pending.set(text, (pending.get(text) ?? new Set()).add(construct.node.path)));
  }
  for (const [text, paths] of pending) {
    if (!said.has(text)) {
      said.add(text);
      process.emitWarning(oneLine(`${namesOf([...paths].sort())}: ${text}`), 'HostedControlPlaneWarning');
    }
  }
  pending.clear();
}

function namesOf(paths: string[]): string {
  return paths.slice(0, NAMED).join(', ') + (paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '');
}
