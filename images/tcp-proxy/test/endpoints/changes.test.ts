import * as fc from 'fast-check';
import { AddressFamily, kubernetesEndpoints } from '../../../../src/agent/contract/kubernetes-endpoints';
import { canonicalAddresses } from '../../src/endpoints/addresses';
import { Change, changesBetween } from '../../src/endpoints/changes';
import { EndpointSlice, publishedAddresses, ServiceEndpoints } from '../../src/endpoints/objects';

const describeChanges = (changes: Change[]) => changes.map(({ verb, object }) => `${verb} ${object.kind} ${object.metadata.name}`);

/** The state after the changes, as an API server would hold it. */
function applied(present: ServiceEndpoints, changes: Change[]): ServiceEndpoints {
  return changes.reduce<ServiceEndpoints>((state, { verb, object }) => {
    if (object.kind === 'Endpoints') return { ...state, endpoints: object };
    const others = state.slices.filter(({ metadata }) => metadata.name !== object.metadata.name);
    return { ...state, slices: verb === 'delete' ? others : [...others, object] };
  }, present);
}

describe('the published objects', () => {
  test('are Endpoints and one slice, which agree, for one family', () => {
    expect(kubernetesEndpoints(['10.0.0.1', '10.0.0.2'], 6443, 'IPv4')).toMatchSnapshot();
  });

  test('name the slice of the primary family kubernetes, as the API server does, and the other one after its family', () => {
    const names = (family: AddressFamily) =>
      kubernetesEndpoints(['10.0.0.1', 'fd00::1'], 6443, family).slices.map(({ metadata, addressType }) => [metadata.name, addressType]);
    expect(names('IPv4')).toEqual([['kubernetes', 'IPv4'], ['kubernetes-v6', 'IPv6']]);
    expect(names('IPv6')).toEqual([['kubernetes', 'IPv6'], ['kubernetes-v4', 'IPv4']]);
  });

  test('use the family that has addresses when the primary one has none', () => {
    const { slices, endpoints } = kubernetesEndpoints(['fd00::1'], 6443, 'IPv4');
    expect(slices.map(({ metadata, addressType }) => [metadata.name, addressType])).toEqual([['kubernetes', 'IPv6']]);
    expect(endpoints.subsets?.[0].addresses).toEqual([{ ip: 'fd00::1' }]);
  });

  test('stay within what one slice may hold', () => {
    const many = canonicalAddresses(Array.from({ length: 1200 }, (_, i) => `10.0.${Math.floor(i / 256)}.${i % 256}`));
    expect(kubernetesEndpoints(many, 6443, 'IPv4').slices[0].endpoints).toHaveLength(1000);
  });

  test('are equal to the byte for equal addresses', () => {
    const addresses = fc.array(fc.oneof(fc.ipV4(), fc.ipV6()), { minLength: 1 });
    const shuffled = addresses.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(fc.property(shuffled, ([list, other]) => {
      const json = (of: string[]) => JSON.stringify(kubernetesEndpoints(canonicalAddresses(of), 6443, 'IPv4'));
      fc.pre(canonicalAddresses(list).length > 0);
      expect(json(other)).toBe(json(list));
    }));
  });
});

describe('the changes', () => {
  const desired = kubernetesEndpoints(['10.0.0.1'], 6443, 'IPv4');
  const [slice] = desired.slices;
  const stale: EndpointSlice = { ...slice, metadata: { name: 'kubernetes-x7k2p', labels: { 'kubernetes.io/service-name': 'kubernetes' } } };

  test('create what is missing before they delete what is foreign', () => {
    expect(describeChanges(changesBetween({ slices: [stale] }, desired))).toEqual([
      'create Endpoints kubernetes', 'create EndpointSlice kubernetes', 'delete EndpointSlice kubernetes-x7k2p',
    ]);
  });

  test('are none when only the server has added to the objects', () => {
    const withServerFields = <T extends { metadata: object }>(object: T): T =>
      ({ ...object, metadata: { ...object.metadata, uid: 'u', resourceVersion: '7', generation: 3, annotations: { note: 'x' } } });
    expect(changesBetween({ endpoints: withServerFields(desired.endpoints), slices: [withServerFields(slice)] }, desired)).toEqual([]);
  });

  test('keep labels and annotations of others, and write over the version that was seen', () => {
    const present = { ...slice, endpoints: [], metadata: { ...slice.metadata, resourceVersion: '7', labels: { team: 'x' }, annotations: { note: 'y' } } };
    const [change] = changesBetween({ endpoints: desired.endpoints, slices: [present] }, desired);
    expect(change.object.metadata).toMatchObject({
      resourceVersion: '7',
      labels: { ...slice.metadata.labels, team: 'x' },
      annotations: { note: 'y' },
    });
  });

  test('replace a slice of the other family, because its address type is immutable', () => {
    const present = { ...slice, addressType: 'IPv6' };
    expect(describeChanges(changesBetween({ endpoints: desired.endpoints, slices: [present] }, desired)))
      .toEqual(['delete EndpointSlice kubernetes', 'create EndpointSlice kubernetes']);
  });

  test('remove the slice of a family that has no address any more', () => {
    const dual = kubernetesEndpoints(['10.0.0.1', 'fd00::1'], 6443, 'IPv4');
    expect(describeChanges(changesBetween(dual, desired))).toEqual(['delete EndpointSlice kubernetes-v6']);
  });

  const addresses = fc.subarray(['10.0.0.1', '10.0.0.2', 'fd00::1', 'fd00::2'], { minLength: 1 });
  const objects = fc.tuple(addresses, fc.constantFrom(6443, 7443), fc.constantFrom<AddressFamily>('IPv4', 'IPv6'))
    .map(([list, port, family]) => kubernetesEndpoints(list, port, family));
  const some = fc.option(objects, { nil: undefined });
  const presentObjects = fc.tuple(some, fc.boolean(), fc.boolean()).map(([objectsOfBefore, withEndpoints, withStale]): ServiceEndpoints => ({
    endpoints: withEndpoints ? objectsOfBefore?.endpoints : undefined,
    slices: [...(objectsOfBefore?.slices ?? []), ...(withStale ? [stale] : [])],
  }));

  test('lead from any state to exactly the desired one, and then end', () => {
    fc.assert(fc.property(presentObjects, objects, (present, wanted) => {
      const after = applied(present, changesBetween(present, wanted));
      expect(changesBetween(after, wanted)).toEqual([]);
      expect(new Set(publishedAddresses(after))).toEqual(new Set(publishedAddresses(wanted)));
    }));
  });
});
