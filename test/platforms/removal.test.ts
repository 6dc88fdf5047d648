import { CONFIGURATIONS, STEWARDS_OWN, synthesize } from './configurations';
import { ApiServer, applyByClient, applyByServer, create, KAMAJI, OperatorRules, reconcile, Spec, STEWARD } from './operator-rules';
import { ControlPlanePlatform } from '../../src';

/*
 * Whatever a tenant was before: after a change of its definition it is what the definition would have made of nothing.
 */

/** What the operator makes of a definition on a cluster where nothing is. */
function fresh(applied: Spec, rules: OperatorRules): { spec: Spec; apiServer: ApiServer } {
  const spec = create(applied);
  return { spec, apiServer: reconcile(spec, reconcile(spec, undefined, rules), rules) };
}

describe.each([
  ['Kamaji', (props: any) => ControlPlanePlatform.kamaji(props), KAMAJI, CONFIGURATIONS],
  ['Steward', (props: any) => ControlPlanePlatform.steward(props), STEWARD, { ...CONFIGURATIONS, ...STEWARDS_OWN }],
] as const)('a tenant of %s', (_name, platform, rules, configurations) => {
  const specs = Object.fromEntries(Object.entries(configurations).map(([title, configuration]) => [title, synthesize(platform, configuration)]));
  const titles = Object.keys(specs);

  test.each(titles)('can be created with %s', title => {
    expect(() => fresh(specs[title], rules)).not.toThrow();
  });

  describe.each([['client', applyByClient], ['server', applyByServer]])('applied on the %s\'s side', (_side, apply) => {
    test.each(titles)('is after any other what a fresh one is: %s', title => {
      const wanted = fresh(specs[title], rules);
      for (const from of titles) {
        const before = fresh(specs[from], rules);
        const spec = apply(specs[from], specs[title], before.spec);
        const apiServer = reconcile(spec, before.apiServer, rules);
        expect({ from, spec, args: apiServer.args }).toEqual({ from, spec: wanted.spec, args: wanted.apiServer.args });
      }
    });
  });

  test('is healed when an older release of this library has taken the deployment out of it', () => {
    const owned = specs['a tcp-proxy that owns the endpoints'];
    const { deployment: _gone, ...controlPlane } = owned.controlPlane;
    const before = fresh(owned, rules);
    const broken = applyByClient(owned, { ...owned, controlPlane }, before.spec);
    expect(() => reconcile(broken, before.apiServer, rules)).toThrow('panic');

    const plain = specs['nothing but the control plane'];
    const spec = applyByClient({ ...owned, controlPlane }, plain, broken);
    expect(reconcile(spec, before.apiServer, rules).args).toEqual([]);
    expect(spec).toEqual(create(plain));
  });
});
