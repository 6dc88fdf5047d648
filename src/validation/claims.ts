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
}

/** Who uses a name. There is one for each object of an app, so it must be small. */
interface ClaimedName {
  readonly holder: IConstruct;
  readonly variant: string | IConstruct;
  /** Those who came later, the first again if it said so twice. */
  others?: IConstruct[];
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
    const claimed = this.names.get(key);
    if (!claimed) {
      this.names.set(key, { holder, variant });
      return;
    }
    (claimed.others ??= []).push(holder);
    if (variant !== claimed.variant) {
      this.conflicts.set(claimed, { what, name, remedy });
    }
    this.messages = undefined;
  }

  private errors(): string[] {
    this.messages ??= [...this.conflicts].map(([claimed, conflict]) => messageOf(claimed, conflict)).sort();
    return this.messages.slice();
  }
}

const claimsOfApp = new WeakMap<IConstruct, Claims>();

/** Sorted, as the order of construction must not change the output. */
function messageOf({ holder, others = [] }: ClaimedName, { what, name, remedy }: Conflict): string {
  const paths = [...new Set([holder, ...others])].map(({ node }) => node.path).sort();
  const last = paths.pop();
  const by = paths.length > 1 ? `${paths.join(', ')} and ${last}` : `both ${paths[0]} and ${last}`;
  return `${what}: "${name}" is used by ${by}. ${remedy}.`;
}
