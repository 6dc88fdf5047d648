import { IConstruct } from 'constructs';

/** Limits what a claim is in conflict with. */
export interface ClaimOptions {
  /**
   * Names are compared within this alone, e.g. the API group of a kind. It is no part of the error.
   * @default - the name is compared with all of its kind
   */
  readonly within?: string;
  /**
   * Holders of one variant share the name: another variant is what the conflict is with.
   * @default - every other holder is in conflict
   */
  readonly variant?: string;
  /**
   * The name is made of another one, as an operator makes names of that of a control plane. Where no other message has
   * the same holders and remedy, one does for all such names of theirs.
   * @default false
   */
  readonly derived?: boolean;
}

/** Who uses a name. There is one for each object of an app, so it must be small. */
interface ClaimedName {
  readonly holder: IConstruct;
  readonly variant: string | IConstruct;
  /** Those who came later, the first again if it said so twice. */
  others?: IConstruct[];
  /** Whether each of them derived it. */
  derived: boolean;
}

interface Conflict {
  readonly what: string;
  readonly name: string;
  readonly remedy: string;
}

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
      root.node.addValidation({ validate: () => registered.errors() });
    }
    return claims;
  }

  private readonly names = new Map<string, ClaimedName>();
  private readonly conflicts = new Map<ClaimedName, Conflict>();
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
    const key = `${what}\n${name}\n${options.within ?? ''}`;
    const variant = options.variant ?? holder;
    const derived = options.derived ?? false;
    const claimed = this.names.get(key);
    if (!claimed) {
      this.names.set(key, { holder, variant, derived });
      return;
    }
    (claimed.others ??= []).push(holder);
    claimed.derived &&= derived;
    if (variant !== claimed.variant) {
      this.conflicts.set(claimed, { what, name, remedy });
    }
    this.messages = undefined;
  }

  private errors(): string[] {
    this.messages ??= this.computeMessages();
    return this.messages.slice();
  }

  private computeMessages(): string[] {
    const all = [...this.conflicts].map(([claimed, conflict]) => {
      const holders = holdersOf(claimed);
      return { derived: claimed.derived, solvedBy: `${holders}\n${conflict.remedy}`, text: messageOf(holders, conflict) };
    }).sort((a, b) => a.text < b.text ? -1 : 1);
    const plain = all.filter(({ derived }) => !derived);
    const told = new Set(plain.map(({ solvedBy }) => solvedBy));
    const first = all.filter(({ derived, solvedBy }) => derived && !told.has(solvedBy) && told.add(solvedBy));
    return [...plain, ...first].map(({ text }) => text).sort();
  }
}

const claimsOfApp = new WeakMap<IConstruct, Claims>();

/** Sorted, as the order of construction must not change the output. */
function holdersOf({ holder, others = [] }: ClaimedName): string {
  const paths = [...new Set([holder, ...others])].map(({ node }) => node.path).sort();
  const last = paths.pop();
  return paths.length > 1 ? `${paths.join(', ')} and ${last}` : `both ${paths[0]} and ${last}`;
}

function messageOf(holders: string, { what, name, remedy }: Conflict): string {
  return `${what}: "${name}" is used by ${holders}. ${remedy}.`;
}
