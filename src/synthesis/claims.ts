import { App } from 'cdk8s';
import { IConstruct } from 'constructs';
import { Conflict, messageOf, togetherOf } from './conflicts';
import { watchOutput } from './shared-output';

/** Limits what a claim is in conflict with. */
export interface ClaimOptions {
  /**
   * Names are compared within this alone, e.g. the API group of a kind, or a chart. It is no part of the error.
   * @default - the name is compared with all of its kind
   */
  readonly within?: string | IConstruct;
  /**
   * Holders of one variant share the name: another variant is what the conflict is with.
   * @default - every other holder is in conflict
   */
  readonly variant?: string | IConstruct;
  /**
   * The name is made of another one, as an operator makes names of that of a control plane. Where no other message has
   * the same holders and remedy, one does for all such names of theirs.
   * @default false
   */
  readonly derived?: boolean;
  /**
   * The name may be taken again in another cluster. All conflicts of different charts are one error then: where there are many,
   * the charts are most likely for different clusters, and nobody has said so.
   * @default false
   */
  readonly inCluster?: boolean;
}

/** Who uses a name. There is one for each object of an app, so it must be small. */
interface ClaimedName {
  readonly holder: IConstruct;
  readonly variant: string | IConstruct;
  readonly remedy: string;
  /** Those who came later, the first again if it said so twice. */
  others?: IConstruct[];
  /** What else they say is to be done. */
  otherRemedies?: string[];
  /** Whether each of them derived it. */
  derived: boolean;
  /** Whether each of them would leave it to the other in another cluster. */
  inCluster: boolean;
}

type ClaimedConflict = Pick<Conflict, 'what' | 'name'>;

/**
 * Names that may occur only once in an app: SNI hosts on a port, cluster IDs, object names.
 *
 * Claims are compared when they are made, in a map, and the errors are kept: cdk8s asks for the
 * errors of the whole app once per chart, so answering must cost nothing.
 */
export class Claims {
  /** The claims of the app that the construct belongs to. */
  public static of(scope: IConstruct): Claims {
    const root = scope.node.root;
    let claims = claimsOfApp.get(root);
    if (!claims) {
      claims = new Claims();
      claimsOfApp.set(root, claims);
      const registered = claims;
      const outputErrors = root instanceof App ? watchOutput(root) : () => [];
      root.node.addValidation({ validate: () => [...registered.errors(), ...outputErrors()] });
    }
    return claims;
  }

  /** By kind and by what they are compared within: an app has ten names for each tenant, and to join the three takes longer than to look them up. */
  private readonly kinds = new Map<string, Map<string | IConstruct, Map<string, ClaimedName>>>();
  private readonly conflicts = new Map<ClaimedName, ClaimedConflict>();
  private messages?: string[];

  private constructor() {}

  /**
   * Records that a construct uses a name. It may say so twice.
   *
   * @param what   the kind of name, e.g. `SNI host`
   * @param name   the name itself
   * @param holder who uses it
   * @param remedy what to do when it is taken
   */
  public claim(what: string, name: string, holder: IConstruct, remedy: string, options: ClaimOptions = {}): void {
    const { variant = holder, derived = false, inCluster = false, within = '' } = options;
    const names = entryOf(entryOf(this.kinds, what), within);
    const claimed = names.get(name);
    if (!claimed) {
      names.set(name, { holder, variant, remedy, derived, inCluster });
      return;
    }
    (claimed.others ??= []).push(holder);
    claimed.derived &&= derived;
    claimed.inCluster &&= inCluster;
    if (remedy !== claimed.remedy) {
      (claimed.otherRemedies ??= []).push(remedy);
    }
    if (!isSame(variant, claimed.variant)) {
      this.conflicts.set(claimed, { what, name });
    }
    this.messages = undefined;
  }

  private errors(): string[] {
    this.messages ??= this.computeMessages();
    return this.messages.slice();
  }

  private computeMessages(): string[] {
    const all = [...this.conflicts].map(([{ holder, others = [], derived, inCluster, remedy, otherRemedies = [] }, conflict]): Conflict =>
      ({ ...conflict, derived, inCluster, holders: [holder, ...others], remedy: [...new Set([remedy, ...otherRemedies])].sort().join('. ') }));
    const { apart, together } = togetherOf(all);
    const texts = apart.map(conflict => ({ conflict, text: messageOf(conflict) })).sort((a, b) => a.text < b.text ? -1 : 1);
    const plain = texts.filter(({ conflict }) => !conflict.derived);
    const told = new Set(plain.map(({ conflict }) => solutionOf(conflict)));
    const first = texts.filter(({ conflict }) => conflict.derived && !told.has(solutionOf(conflict)) && told.add(solutionOf(conflict)));
    return [...[...plain, ...first].map(({ text }) => text), ...together].sort();
  }
}

const claimsOfApp = new WeakMap<IConstruct, Claims>();

/** The map at a key of a map of maps. */
function entryOf<K, V>(maps: Map<K, Map<any, V>>, key: K): Map<any, V> {
  let entry = maps.get(key);
  if (!entry) {
    entry = new Map();
    maps.set(key, entry);
  }
  return entry;
}

/** Whether two variants are one. A construct may be made anew between two syntheses. */
function isSame(one: string | IConstruct, other: string | IConstruct): boolean {
  return one === other || typeof one === 'object' && typeof other === 'object' && one.node.path === other.node.path;
}

/** What has the same solution need not be said twice. */
function solutionOf({ holders, remedy }: Conflict): string {
  return [...new Set(holders.map(({ node }) => node.path))].sort().concat(remedy).join('\n');
}
