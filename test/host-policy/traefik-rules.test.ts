import * as fc from 'fast-check';
import { HOST_MATCHER, QUOTED_HOST, READABLE_RULE } from '../../src/host-policy/traefik-rules';

/** A rule as a tree: matchers of hosts, of other things, and what joins them. */
type Rule = { readonly host: string } | { readonly other: string; readonly not: boolean } | { readonly op: '&&' | '||'; readonly parts: Rule[] } | { readonly not: Rule };

const HOSTS = ['a.example.com', 'b.example.com', '*.example.com'];
const OTHERS = ['Path(`/a||b`)', 'ClientIP(`10.0.0.0/8`)', 'Path("/Host(")', 'Query(`x`, `Host(y)`)'];

const rules: fc.Arbitrary<Rule> = fc.letrec<{ rule: Rule }>(tie => ({
  rule: fc.oneof({ depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...HOSTS).map(host => ({ host })),
    fc.record({ other: fc.constantFrom(...OTHERS), not: fc.boolean() }),
    fc.record({ op: fc.constantFrom('&&' as const, '||' as const), parts: fc.array(tie('rule'), { minLength: 2, maxLength: 3 }) }),
    tie('rule').map(not => ({ not })),
  ),
})).rule;

function textOf(rule: Rule): string {
  if ('host' in rule) return `Host(\`${rule.host}\`)`;
  if ('other' in rule) return `${rule.not ? '!' : ''}${rule.other}`;
  if ('not' in rule) return `!(${textOf(rule.not)})`;
  return `(${rule.parts.map(textOf).join(` ${rule.op} `)})`;
}

/** Whether it may be true for another host than those that it names, whatever else the request has. */
function mayTakeOthers(rule: Rule): boolean {
  return canBe(rule, true);
}

/** Whether some request for a host that no matcher names makes the rule this. Matchers of other things are independent: each stands once for itself. */
function canBe(rule: Rule, value: boolean): boolean {
  if ('host' in rule) return !value;
  if ('other' in rule) return true;
  if ('not' in rule) return canBe(rule.not, !value);
  const every = (rule.op === '&&') === value;
  return every ? rule.parts.every(part => canBe(part, value)) : rule.parts.some(part => canBe(part, value));
}

function hostsOf(rule: Rule): string[] {
  return 'host' in rule ? [rule.host] : 'parts' in rule ? rule.parts.flatMap(hostsOf) : 'other' in rule ? [] : hostsOf(rule.not);
}

const isReadable = (text: string) => new RegExp(READABLE_RULE).test(text);
const readHosts = (text: string) => [...text.matchAll(new RegExp(HOST_MATCHER, 'g'))].flatMap(([found]) => found.match(new RegExp(QUOTED_HOST, 'g'))!).map(quoted => quoted.slice(1, -1));

test('a rule that can be read leads to nothing but the hosts that are read from it', () => {
  fc.assert(fc.property(rules, rule => {
    fc.pre(isReadable(textOf(rule)));
    expect(mayTakeOthers(rule)).toBe(false);
    expect(readHosts(textOf(rule))).toEqual(hostsOf(rule));
  }), { numRuns: 2_000 });
});

test('what tenants write can be read', () => {
  for (const text of [
    'Host(`a.example.com`)', 'Host("a.example.com")', 'HostSNI(`a.example.com`, `b.example.com`)', 'host( `a.example.com` )\n&& PathPrefix(`/`)',
    '(Host(`a.example.com`) || Host(`b.example.com`)) && !PathPrefix(`/admin`)', 'Host(`a.example.com`) && (Path(`/a`) || Host(`b.example.com`))',
  ]) {
    expect([text, isReadable(text)]).toEqual([text, true]);
  }
});

test('no text in a rule hides a host', () => {
  const content = fc.array(fc.constantFrom('Host(', 'Path(', '`', '"', ')', ',', ' && ', '||', 'own.example.com', 'victim.example.com', '\\', '\u212a'), { minLength: 1, maxLength: 3 }).map(parts => parts.join(''));
  const argument = fc.tuple(fc.constantFrom('`', '"'), fc.oneof(fc.constantFrom('own.example.com', 'victim.example.com'), content)).map(([quote, text]) => `${quote}${text}${quote}`);
  const matcher = fc.tuple(fc.constantFrom('Host(', 'hostSNI(', 'Path(', 'Query('), fc.array(argument, { minLength: 1, maxLength: 2 })).map(([name, list]) => `${name}${list.join(', ')})`);
  const texts = fc.array(matcher, { minLength: 1, maxLength: 4 }).map(matchers => `Host("own.example.com") && ${matchers.join(' && ')}`);
  let readable = 0;
  fc.assert(fc.property(texts, text => {
    if (!isReadable(text)) return;
    readable++;
    expect(readHosts(text)).toEqual(expect.arrayContaining(tokenized(text)));
  }), { numRuns: 20_000 });
  expect(readable).toBeGreaterThan(500);
});

/** The hosts as who reads from the beginning on finds them: a text in quotes ends with the quote that it began with. */
function tokenized(text: string): string[] {
  const hosts: string[] = [];
  let matcher = '';
  for (const token of text.match(/`[^`]*`|"[^"]*"|[A-Za-z]+\(|[^]/g)!) {
    if (/^[A-Za-z]+\($/.test(token)) matcher = token.toLowerCase();
    if (/^[`"]./.test(token) && matcher.startsWith('host')) hosts.push(token.slice(1, -1));
  }
  return hosts;
}
