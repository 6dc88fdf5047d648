import { answerOf, OperatorAnswer } from '../../../conformance/operators/answer';
import { OperatorCase } from '../../../conformance/operators/cases';
import { eventually } from '../../../data-path/support/eventually';
import { Cluster } from '../../../e2e/support/cluster';

/** Kinds that operators make in the namespaces of control planes. */
const MADE = [
  'deployments.apps', 'statefulsets.apps', 'services', 'secrets', 'configmaps', 'ingresses.networking.k8s.io', 'cronjobs.batch', 'jobs.batch',
];
/** How long an operator that has nothing left to do changes nothing. */
const QUIET_MS = 6_000;

/** A case in a namespace of its own: each is called the same, and an operator meets all of them at once. */
export interface Placed {
  readonly namespace: string;
  readonly case: OperatorCase;
}

/** The cases of an operator in one management cluster. */
export class Landscape {
  public readonly places: Placed[];

  /**
   * @param kinds the custom resource, and what the operator makes beside that which all make
   * @param play what other programs answer to these objects
   */
  constructor(
    private readonly cluster: Cluster,
    cases: OperatorCase[],
    private readonly kinds: string[],
    private readonly play?: (cluster: Cluster, objects: any[]) => Promise<void>,
  ) {
    this.places = cases.map((of, i) => ({ namespace: `case-${String(i + 1).padStart(3, '0')}-of-all`, case: of }));
  }

  /** @param beside what each case needs in its namespace */
  public async createNamespaces(beside: (placed: Placed) => any[]): Promise<void> {
    await this.cluster.apply(this.places.map(({ namespace }) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })));
    const objects = this.places.flatMap(beside);
    if (objects.length > 0) {
      await this.cluster.apply(objects);
    }
  }

  /** What `kubectl apply` says of the custom resources, one line each. A place whose case is another one's becomes that, under its own name. */
  public async apply(placed: Placed[], ...flags: string[]): Promise<string[]> {
    const resources = placed.map(({ namespace, case: { name, resource } }) => {
      const { metadata, ...rest } = renamed(resource, name, this.caseAt(namespace).name);
      return { ...rest, metadata: { ...metadata, namespace } };
    });
    const output = await this.cluster.apply(resources, ...flags);
    return output.trim().split('\n');
  }

  /**
   * Takes the custom resources away, and waits for the operator to have let them go.
   *
   * @returns what is left and belongs to nothing that is gone: no controller manager collects garbage here
   */
  public async remove(): Promise<any[]> {
    const before = Object.values(await this.objects()).flat();
    await this.cluster.kubectl(['delete', this.kinds[0], '--all', '--all-namespaces', '--timeout=300s']);
    const left = Object.values(await this.objects()).flat();
    const here = new Map(left.map(object => [uidOf(object), object]));
    const gone = new Set(before.map(uidOf).filter(uid => !here.has(uid)));
    const goes = ({ metadata: { ownerReferences = [] } }: any): boolean =>
      ownerReferences.some(({ uid }: any) => gone.has(uid) || here.has(uid) && goes(here.get(uid)));
    return left.filter(object => !goes(object));
  }

  /** Every object in the namespaces of the cases. */
  public async objects(): Promise<{ readonly [namespace: string]: any[] }> {
    const { items } = JSON.parse(await this.cluster.kubectl(['get', [...this.kinds, ...MADE].join(), '--all-namespaces', '--output', 'json']));
    return Object.fromEntries(this.places.map(({ namespace }) => [namespace, items.filter(({ metadata }: any) => metadata.namespace === namespace)]));
  }

  public async resources(): Promise<{ readonly [namespace: string]: any }> {
    const { items } = JSON.parse(await this.cluster.kubectl(['get', this.kinds[0], '--all-namespaces', '--output', 'json']));
    return Object.fromEntries(items.map((item: any) => [item.metadata.namespace, item]));
  }

  /**
   * What the operator made of each case, when each has its workload and nothing has changed for a while; a case is known by its namespace.
   *
   * @param become what a case was made into, in whose names the answer is
   */
  public async answers(become: { readonly [namespace: string]: OperatorCase } = {}): Promise<{ readonly [namespace: string]: OperatorAnswer }> {
    let last: { readonly text: string; readonly since: number } | undefined;
    return eventually(async () => {
      const objects = Object.entries(await this.objects());
      await this.play?.(this.cluster, objects.flatMap(([, list]) => list));
      const answers = Object.fromEntries(objects.map(([namespace, list]) => {
        const own = this.caseAt(namespace);
        const meant = become[namespace] ?? own;
        return [namespace, renamed(answerOf(list, namespace, meant.resource.metadata.namespace), own.name, meant.name)];
      }));
      const text = JSON.stringify(answers);
      if (last?.text !== text) {
        last = { text, since: Date.now() };
      }
      const unserved = Object.entries(answers).filter(([, { podLabels }]) => Object.keys(podLabels).length === 0);
      if (unserved.length > 0) {
        throw new Error(`no workload yet in ${unserved.map(([namespace]) => namespace).join(', ')}`);
      }
      return Date.now() - last.since > QUIET_MS ? answers : undefined;
    }, 900_000);
  }

  private caseAt(namespace: string): OperatorCase {
    return this.places.find(place => place.namespace === namespace)!.case;
  }
}

/** The same with another name of the control plane, also where it is a part of names. */
function renamed<T>(value: T, from: string, to: string): T {
  return from === to ? value : JSON.parse(JSON.stringify(value).replace(new RegExp(`(?<![a-z0-9])${from}(?![a-z0-9])`, 'g'), to));
}

function uidOf({ metadata }: any): string {
  return metadata.uid;
}
