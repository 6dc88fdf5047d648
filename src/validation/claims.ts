import { IConstruct } from 'constructs';

/**
 * Names that may occur only once in an app: SNI hosts on a port, cluster IDs, object names.
 *
 * Each claim is checked when it is made, against a map, and the errors are kept: cdk8s asks for the
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
      root.node.addValidation({ validate: () => registered.errors.slice() });
    }
    return claims;
  }

  private readonly holders = new Map<string, IConstruct>();
  private readonly errors: string[] = [];

  private constructor() {}

  /**
   * Records that a construct uses a name.
   *
   * @param what   the kind of name, e.g. `SNI host`
   * @param name   the name itself
   * @param holder who uses it
   * @param remedy what to do when it is taken
   */
  public claim(what: string, name: string, holder: IConstruct, remedy: string): void {
    const key = `${what}\n${name}`;
    const first = this.holders.get(key);
    if (!first) {
      this.holders.set(key, holder);
      return;
    }
    // The order of construction must not change the output.
    const [a, b] = [first.node.path, holder.node.path].sort();
    this.errors.push(`${what}: "${name}" is used by both ${a} and ${b}. ${remedy}.`);
  }
}

const claimsOfApp = new WeakMap<IConstruct, Claims>();
