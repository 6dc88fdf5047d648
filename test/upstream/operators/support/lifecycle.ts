import { Landscape, Placed } from './landscape';
import { Operator } from './operator';
import { checkPlatform } from '../../../../src/findings/check';
import { readPlatform } from '../../../../src/manifests/platform';
import { sourcesOf } from '../../../../src/manifests/source';
import { OperatorAnswer } from '../../../conformance/operators/answer';
import { casesOf, distinct, OperatorCase, SOURCES } from '../../../conformance/operators/cases';
import { answered, claimed, Claims } from '../../../conformance/operators/claims';
import { saveRecording } from '../../../conformance/operators/recordings';
import { eventually } from '../../../data-path/support/eventually';
import { stopParts } from '../../../data-path/support/parts';
import { Cluster } from '../../../e2e/support/cluster';
import { KUBERNETES_VERSION } from '../../../e2e/support/versions';
import { recordRun } from '../../../support/compatibility';

/** Of a life. */
const TESTS = 5;

export interface OperatorTestProps {
  /** As its makers write it. */
  readonly system: string;
  /** Type of the platform of this library. */
  readonly platformType: string;
  /** The custom resource, as kubectl calls it. */
  readonly resource: string;
  /** Further kinds that it makes, as kubectl calls them. */
  readonly kinds?: string[];
  /** The other real programs beside the API server, with their versions. */
  readonly with?: string[];
  /** What was not run of the whole. */
  readonly notRun?: string;
  /** Objects that must be there before any control plane. */
  before?(cases: OperatorCase[]): any[];
  /** Objects that each control plane needs beside it. */
  beside?(placed: Placed): any[];
  /** Whether the operator writes into a list of the case that has one writer alone, so that each apply changes it back, as docs say. */
  writesInto?(operatorCase: OperatorCase): boolean;
  /** Whether the first is not to become the second, e.g. as the docs say that the operator leaves something behind of it. */
  cannotBecome?(from: OperatorCase, to: OperatorCase): boolean;
  start(cluster: Cluster): Promise<Operator>;
  /** What else holds once all is made. */
  alsoHolds?(cluster: Cluster, placed: Placed[]): Promise<void>;
  /** What other programs answer to its objects, asked again and again. */
  play?(cluster: Cluster, objects: any[]): Promise<void>;
}

/** The life of every case of the matrix, and then of the examples, under a real operator, beside a real API server. */
export function describeLifecycle(props: OperatorTestProps): void {
  for (const [source, cases] of Object.entries(SOURCES)) {
    const found = distinct(cases(props.platformType));
    if (found.length > 0) {
      describeLives(props, source, found);
    }
  }
}

function describeLives(props: OperatorTestProps, source: string, cases: OperatorCase[]): void {
  const { system, platformType, resource, with: others = [], notRun, kinds = [], before = () => [], start, play } = props;
  const { beside = () => [], writesInto = () => false, cannotBecome = () => false, alsoHolds } = props;
  describe(`${system} runs every case of the ${source} as ${resource}`, () => {
    let cluster: Cluster;
    let operator: Operator | undefined;
    let landscape: Landscape;
    let passed = 0;
    let fresh: { readonly [namespace: string]: OperatorAnswer };

    beforeAll(async () => {
      jest.spyOn(process, 'emitWarning').mockImplementation();
      // Networks of its own: addresses of the tenants' Services are not to be among those that it gives.
      cluster = await Cluster.start({ behindIngress: false, apiServerArgs: ['--service-cluster-ip-range=10.200.0.0/16'] });
      operator = await start(cluster);
      const first = before(cases);
      if (first.length > 0) {
        await cluster.apply(first);
      }
      landscape = new Landscape(cluster, cases, [resource, ...kinds], play);
      await landscape.createNamespaces(beside);
    }, 300_000);

    afterAll(async () => {
      if (operator) {
        await recordRun({
          system,
          version: operator.version,
          with: [`kube-apiserver ${KUBERNETES_VERSION}`, ...others].join(', '),
          what: `${cases.length} ${cases[0].resource.kind}s of the ${source === 'matrix' ? 'conformance matrix' : source}: created, applied again, changed, removed; `
            + 'names, ports, certificates and flags are those that the library says',
          result: passed === TESTS ? 'passed' : 'failed',
          note: notRun,
        });
      }
      await stopParts();
      jest.restoreAllMocks();
      passed++;
    });

    test('it admits each, and makes what this library says that it makes', async () => {
      await landscape.apply(landscape.places);
      fresh = await landscape.answers();
      expectEqual(landscape.places.map(({ namespace, case: of }) => [of.title, answered(of, fresh[namespace]), claimed(of)]));
      await alsoHolds?.(cluster, landscape.places);
      if (process.env.RECORD_OPERATORS) {
        const { version } = operator!;
        const answers = landscape.places.map(({ namespace, case: of }) => [of, fresh[namespace]] as const);
        saveRecording({ system, version, platformType }, answers, casesOf(platformType));
      }
      passed++;
    }, 1_200_000);

    test('the doctor finds no fault in what is there', async () => {
      const live = await landscape.objects();
      const faults = landscape.places.map(({ namespace, case: of }): [string, string[]] => {
        const made = JSON.parse(JSON.stringify(live[namespace]).split(namespace).join(of.resource.metadata.namespace));
        // The live object in place of the one that was applied.
        const manifests = of.manifests.filter(({ kind, metadata: { name } }) => kind !== of.resource.kind || name !== of.resource.metadata.name);
        const platform = readPlatform([...manifests, ...made].flatMap(object => sourcesOf(object, '', 1)));
        return [of.title, checkPlatform(platform).filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`)];
      });
      expect(faults.filter(([, found]) => found.length > 0)).toEqual([]);
      passed++;
    });

    test('what is applied again stays as it is, and no field of it is the operator\'s', async () => {
      const settling = landscape.places.filter(({ case: of }) => !writesInto(of));
      const first = await landscape.resources();
      // Whenever operators write the resource, as with their finalizers, they leave out lists that are empty: an apply puts those back.
      // What kubectl says does not count: it sends lists whose items have defaults of the definition each time.
      await eventually(async () => {
        const generationsBefore = generations(await landscape.resources());
        await landscape.apply(settling);
        return generations(await landscape.resources()) === generationsBefore;
      }, 120_000);
      const second = await landscape.resources();
      expectEqual(settling.map(({ namespace }) => [namespace, withoutEmpty(second[namespace].spec), withoutEmpty(first[namespace].spec)]));
      // Another manager that gives the same values is in conflict over none of them.
      await landscape.apply(settling, '--server-side', '--dry-run=server', '--field-manager=delivery');
      await landscape.apply(landscape.places);
      expect(await landscape.answers()).toEqual(fresh);
      passed++;
    }, 300_000);

    test('one becomes another, with the flags, routes and names of that one', async () => {
      const moved = landscape.places.map(place => ({ ...place, from: place, to: neighbour(place, landscape.places, cannotBecome) }));
      await landscape.apply(moved.map(({ namespace, to }) => ({ namespace, case: to.case })));
      const title = ({ from, to }: typeof moved[number]) => `${from.case.title} → ${to.case.title}`;
      // What an operator takes away may go after a while in which nothing changes.
      await eventually(async () => {
        const found = await landscape.answers(Object.fromEntries(moved.map(({ namespace, to }) => [namespace, to.case])));
        expectEqual(moved.map(move => [title(move), running(found[move.namespace]), running(fresh[move.to.namespace])]));
        expectEqual(moved.map(move => [title(move), present(answered(move.to.case, found[move.namespace])), present(claimed(move.to.case))]));
        return true;
      }, 120_000);
      passed++;
    }, 1_200_000);

    test('one that leaves takes all with it', async () => {
      const left = await landscape.remove();
      expect(left.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([]);
      passed++;
    }, 400_000);
  });
}

/** All at once, so that a failure shows each case that is concerned. */
function expectEqual(compared: (readonly [title: string, is: unknown, ought: unknown])[]): void {
  expect(Object.fromEntries(compared)).toEqual(Object.fromEntries(compared.map(([title, , ought]) => [title, ought])));
}

/** What runs, and for whom. */
function running({ args, podLabels, routes }: OperatorAnswer): object {
  return { args, podLabels, routes: routes.map(({ annotations: _, ...route }) => route) };
}

/** Of an object that is made anew the operators leave names in certificates, annotations, and what konnectivity had: nothing leads there. */
function present({ objects: _, routes: __, ...rest }: Claims): object {
  return rest;
}

function generations(resources: { readonly [namespace: string]: any }): string {
  return JSON.stringify(Object.entries(resources).map(([namespace, { metadata }]) => [namespace, metadata.generation]));
}

function withoutEmpty(value: any): any {
  const isEmpty = (part: any) => part !== null && typeof part === 'object' && Object.keys(part).length === 0;
  return JSON.parse(JSON.stringify(value), (_, part) => isEmpty(part) ? undefined : part);
}

/** The next case of the same platform that it can become whole, behind whichever controller. */
function neighbour({ case: of }: Placed, places: Placed[], cannotBecome: (from: OperatorCase, to: OperatorCase) => boolean): Placed {
  const alike = places.filter(place => place.case.kin === of.kin);
  const next = alike.findIndex(place => place.case === of) + 1;
  return [...alike.slice(next), ...alike].find(place => !cannotBecome(of, place.case))!;
}
