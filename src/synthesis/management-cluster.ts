import { IConstruct } from 'constructs';
import { A_CONSTRUCT } from '../validation/construct';
import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { validateDns1123Label } from '../validation/name';

/**
 * The management cluster that a chart goes to. An app with charts for several says so once for each: names of objects, which
 * must differ within a cluster, may then be the same in two of them.
 */
export class ManagementCluster {
  /** @internal That of apps which name none. */
  public static readonly _UNNAMED = new ManagementCluster('management');

  /**
   * Says which cluster the objects of a chart go to, or of everything below a construct or an app. The nearest that is named
   * counts. Call it first: before anything of this library is made there.
   *
   * @param scope a chart, a construct that holds charts, or an app
   * @param name  a name of yours: a DNS label, e.g. `eu-1`
   * @throws when something there was made for another cluster already
   */
  public static assign(scope: IConstruct, name: string): ManagementCluster {
    A_CONSTRUCT('scope', scope);
    const { node } = scope;
    const cluster = new ManagementCluster(validateDns1123Label('name', name));
    const early = madeFor(node.root).find(made => made.construct.node.scopes.includes(scope) && made.cluster.name !== name);
    if (early) {
      throw invalidInput('name', name, `comes too late for ${early.construct.node.path}, which was made for the cluster "${early.cluster.name}"`,
        `Call ManagementCluster.assign() for ${node.path || 'the app'} before`);
    }
    assigned.set(scope, cluster);
    return cluster;
  }

  /** That of a construct: what was assigned to it, or to the nearest above it, or the cluster `management`. */
  public static of(scope: IConstruct): ManagementCluster {
    A_CONSTRUCT('scope', scope);
    const { node } = scope;
    const cluster = clusterAt(scope);
    madeFor(node.root).push({ construct: scope, cluster });
    return cluster;
  }

  /** @internal Its name for a construct of which nothing is made there, so that it may still be assigned. */
  public static _nameAt(scope: IConstruct): string {
    return clusterAt(scope).name;
  }

  private constructor(
    /** Its name; `management` where none was given. */
    public readonly name: string,
  ) {}

  /** @internal The name as a part of other names; undefined where there need be none. */
  public get _part(): string | undefined {
    return this.name === ManagementCluster._UNNAMED.name ? undefined : this.name;
  }
}

nameFactories(ManagementCluster);

const assigned = new WeakMap<IConstruct, ManagementCluster>();

function clusterAt({ node }: IConstruct): ManagementCluster {
  const holder = node.scopes.reverse().find(construct => assigned.has(construct));
  return holder ? assigned.get(holder)! : ManagementCluster._UNNAMED;
}

/** Constructs that were made for a cluster. */
interface Made {
  readonly construct: IConstruct;
  readonly cluster: ManagementCluster;
}

const madeOfApp = new WeakMap<IConstruct, Made[]>();

function madeFor(root: IConstruct): Made[] {
  const known = madeOfApp.get(root);
  if (known) {
    return known;
  }
  const made: Made[] = [];
  madeOfApp.set(root, made);
  return made;
}
