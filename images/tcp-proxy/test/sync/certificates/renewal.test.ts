import * as fc from 'fast-check';
import { decide, Decision, DecisionInput, Replacement, UsablePair } from '../../../src/sync/certificates/renewal';

const DAY = 24 * 3_600_000;
const NOW = new Date('2026-01-31T00:00:00Z');
const at = (ms: number) => new Date(NOW.getTime() + ms);

const served: UsablePair = { authority: 'a', notBefore: at(-30 * DAY), notAfter: at(60 * DAY) };
const replacement: Replacement = { authority: 'a', notAfter: at(1000 * DAY), renewable: true };

function decision(input: Partial<DecisionInput> = {}): Decision {
  return decide({ served, replacement, podAuthorities: new Set(['a']), now: NOW, settleMs: 120_000, pollMs: 30_000, ...input });
}

describe('a pair in the tenant', () => {
  test('stays until two thirds of its life are over', () => {
    expect(decision()).toEqual({ action: 'keep', again: at(30 * DAY) });
    expect(decision({ now: at(30 * DAY - 1) })).toEqual({ action: 'keep', again: at(30 * DAY) });
    expect(decision({ now: at(30 * DAY) })).toEqual({ action: 'replace', reason: 'two thirds of its life are over' });
  });

  test('stays to its end when it ends with its CA, as no other would last longer', () => {
    expect(decision({ now: at(59 * DAY), replacement: { ...replacement, notAfter: served.notAfter } })).toEqual({ action: 'keep' });
  });

  test('stays however old it is when its source has no other', () => {
    expect(decision({ now: at(59 * DAY), replacement: { ...replacement, renewable: false } })).toEqual({ action: 'keep' });
  });

  test.each<[string, Partial<DecisionInput>, string]>([
    ['is missing', { served: { problem: 'does not exist' } }, 'does not exist'],
    ['is unusable, whatever the pods trust', { served: { problem: 'has no tls.key' }, podAuthorities: new Set() }, 'has no tls.key'],
    ['expired, whatever the pods trust', { now: at(60 * DAY), podAuthorities: new Set(), replacement: { ...replacement, authority: 'b' } },
      'expired at 2026-04-01T00:00:00.000Z'],
    ['is for other names', { served: { ...served, difference: 'is for other names' } }, 'is for other names'],
    ['is of an authority that the pods do not trust, while they trust the current one',
      { served: { ...served, authority: 'z' } }, 'is not issued by the current tenant CA'],
    ['is of an authority that nobody knows', { served: { ...served, authority: undefined } }, 'is not issued by the current tenant CA'],
  ])('is replaced when it %s', (_, input, reason) => {
    expect(decision(input)).toEqual({ action: 'replace', reason });
  });
});

describe('a change of the authority', () => {
  const change: Partial<DecisionInput> = { replacement: { ...replacement, authority: 'b' } };
  const untrusted = 'is not issued by the current tenant CA, but the pods of the tenant do not trust that one yet';
  const unsettled = 'is not issued by the current tenant CA, but some pods may not have seen yet that it is trusted';

  test('waits until the pods trust the new one', () => {
    expect(decision(change)).toEqual({ action: 'wait', reason: untrusted, again: at(30_000) });
    expect(decision({ ...change, podAuthorities: new Set() })).toEqual({ action: 'wait', reason: untrusted, again: at(30_000) });
  });

  test('waits no longer than the pair works', () => {
    expect(decision({ ...change, served: { ...served, notAfter: at(10_000) } })).toMatchObject({ action: 'wait', again: at(10_000) });
  });

  test('then waits until the kubelets have told every pod', () => {
    const podAuthorities = new Set(['a', 'b']);
    const first = decision({ ...change, podAuthorities });
    expect(first).toEqual({ action: 'wait', reason: unsettled, again: at(120_000), settling: { authority: 'b', since: NOW } });
    const { settling } = first as Extract<Decision, { action: 'wait' }>;
    expect(decision({ ...change, podAuthorities, settling, now: at(119_999) })).toMatchObject({ action: 'wait', again: at(120_000), settling });
    expect(decision({ ...change, podAuthorities, settling, now: at(120_000) })).toEqual(
      { action: 'replace', reason: 'is not issued by the current tenant CA' });
  });

  test('begins to wait again when there is yet another authority', () => {
    const settling = { authority: 'c', since: at(-DAY) };
    expect(decision({ ...change, podAuthorities: new Set(['a', 'b']), settling })).toMatchObject(
      { action: 'wait', settling: { authority: 'b', since: NOW } });
  });

  test('does not wait when pods that start now refuse the old one', () => {
    expect(decision({ ...change, podAuthorities: new Set(['b']) })).toMatchObject({ action: 'replace' });
  });

  test('comes before other reasons, as the old authority can no longer sign', () => {
    expect(decision({ ...change, served: { ...served, difference: 'is for other names' } })).toMatchObject({ action: 'wait' });
    expect(decision({ ...change, now: at(50 * DAY) })).toMatchObject({ action: 'wait' });
  });
});

const id = fc.constantFrom('a', 'b', 'c');
const time = fc.integer({ min: -100, max: 100 }).map(days => at(days * DAY));
const usable = fc.record({
  authority: fc.option(id, { nil: undefined }), notBefore: time, notAfter: time, difference: fc.option(fc.constant('differs'), { nil: undefined }),
});
const inputs: fc.Arbitrary<DecisionInput> = fc.record({
  served: fc.oneof({ weight: 4, arbitrary: usable }, fc.constant({ problem: 'is missing' })),
  replacement: fc.record({ authority: fc.option(id, { nil: undefined }), notAfter: time, renewable: fc.boolean() }),
  podAuthorities: fc.array(id).map(ids => new Set(ids)),
  settling: fc.option(fc.record({ authority: id, since: time }), { nil: undefined }),
  now: fc.constant(NOW),
  settleMs: fc.constant(120_000),
  pollMs: fc.constant(30_000),
});

describe('whatever there is', () => {
  test('a pair that works gives way only to one that the pods trust, or that they trust as little', () => {
    fc.assert(fc.property(inputs, input => {
      const { served: pair, podAuthorities } = input;
      fc.pre(pair.problem === undefined && pair.notAfter > NOW && decide(input).action === 'replace');
      const { authority } = input.replacement;
      return authority === (pair as UsablePair).authority || (authority !== undefined && podAuthorities.has(authority));
    }));
  });

  test('what replaced a pair stays', () => {
    fc.assert(fc.property(inputs, input => {
      fc.pre(input.replacement.notAfter > NOW && decide(input).action === 'replace');
      const end = new Date(Math.min(input.replacement.notAfter.getTime(), at(90 * DAY).getTime()));
      const next = decide({ ...input, served: { authority: input.replacement.authority, notBefore: NOW, notAfter: end } });
      return next.action === 'keep';
    }));
  });

  test('the next look is never in the past', () => {
    fc.assert(fc.property(inputs, input => {
      const next = decide(input);
      return next.action === 'replace' || next.again === undefined || next.again > NOW;
    }));
  });

  test('nothing unusable stays', () => {
    fc.assert(fc.property(inputs, input => {
      const { served: pair } = input;
      fc.pre(pair.problem !== undefined || pair.notAfter <= NOW);
      return decide(input).action === 'replace';
    }));
  });
});
