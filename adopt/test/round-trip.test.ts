import { adopted, CONTROLLER, dumped } from './support/adoptions';
import { synthesized, typeErrors } from './support/program';
import { RUNNING } from './support/running';
import { expectValid } from '../../test/support/schemas';
import { comparable } from '../src/difference/comparable';
import { differenceOf } from '../src/difference/difference';
import { pathText } from '../src/json';
import { programOf } from '../src/program';

const FILES = RUNNING.map(({ file }) => file);
const program = (file: string) => programOf(adopted([dumped(file)]), CONTROLLER);

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

/** The object among others that has the kind and name of one. */
function sameObject({ kind, metadata: { name, namespace } }: any, objects: any[]): any {
  return objects.find(each => each.kind === kind && each.metadata.name === name && each.metadata.namespace === namespace);
}

test('the programs of all kinds compile as strictly as this project does', () => {
  const programs = Object.fromEntries(FILES.map(file => [file, program(file)]));
  const all = programOf(adopted(FILES.map(dumped)), CONTROLLER);
  expect(typeErrors({ ...programs, all })).toEqual([]);
}, 300_000);

describe.each(FILES)('the program for %s', file => {
  test('makes the object that runs, but for the differences that are told', () => {
    const running = dumped(file);
    const [adoption] = adopted([running]);
    const made = sameObject(running, synthesized(programOf([adoption], CONTROLLER)));
    expectValid(made);
    const changes = differenceOf(comparable(running), comparable(made));
    expect(changes).toEqual(adoption.changes);
    expect(adoption.changes.map(({ path, before, after }) => [pathText(path), before, after])).toMatchSnapshot();
  });

  test('changes nothing once it is applied', () => {
    const [first] = adopted([dumped(file)]);
    const made = sameObject(dumped(file), synthesized(programOf([first], CONTROLLER)));
    const [again] = adopted([{ ...made, status: dumped(file).status }]);
    expect(again.changes).toEqual([]);
  });

  test('ends the old way without the lines that it says are there until then', () => {
    const [adoption] = adopted([dumped(file)]);
    expect(adoption.lastChanges.map(({ path, before, after }) => [pathText(path), before, after])).toMatchSnapshot();
  });

  test('reads like this', () => {
    expect(program(file)).toMatchSnapshot();
  });
});

test('several control planes of one dump are in one program, each once', () => {
  const running = FILES.map(dumped);
  const list = { apiVersion: 'v1', kind: 'List', items: running };
  const objects = synthesized(programOf(adopted([list]), CONTROLLER));
  for (const object of running) {
    expect(objects.filter(each => each.kind === object.kind && each.metadata.name === object.metadata.name)).toHaveLength(1);
  }
});

test('what an operator has made of another control plane is not described beside it', () => {
  const owner = dumped('k0smotron-control-plane');
  const ownerReferences = [{ apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: '1' }];
  const made = { ...dumped('k0smotron-cluster'), metadata: { name: 'tenant-07', namespace: 'tenants', ownerReferences } };
  expect(adopted([owner, made]).map(({ description }) => description.controlPlane.source.kind)).toEqual(['K0smotronControlPlane']);
});
