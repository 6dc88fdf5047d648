/*
 * Rules of Traefik's routes as regular expressions that Go and JavaScript read alike. A rule is a Boolean expression, which no regular
 * expression can evaluate. This one takes the rules that lead to nothing but their own hosts, whatever else is in them:
 *
 * - there are parentheses, `&&`, `||` and matchers, and nothing is negated but what is no host;
 * - each part between two `||` has a matcher of hosts, wherever parentheses are. Then every way to make the rule true makes one of
 *   these matchers true: such a way has all of some part.
 *
 * Quotes hold no other kind of quote, so where a text begins and ends is certain. Matchers may be in capitals, and are spelled out for that: with
 * the flag for it, Go takes letters for ASCII that are none, which Traefik makes ASCII when it changes capitals of a host.
 */

const HOST = '[A-Za-z0-9._*-]+';
const HOST_ARGUMENT = `(?:\`${HOST}\`|"${HOST}")`;
const ARGUMENT = '(?:`[^`"]*`|"[^"`\\\\]*")';
const OTHER_NAMES = ['ALPN', 'ClientIP', 'Header', 'HeaderRegexp', 'Headers', 'HeadersRegexp', 'Method', 'Path', 'PathPrefix', 'PathRegexp', 'Query', 'QueryRegexp'];

const HOSTS = `(?:${['HostSNI', 'HostHeader', 'Host'].map(inAnyCase).join('|')})\\(${listOf(HOST_ARGUMENT)}\\)`;
const OTHERS = `!?(?:${OTHER_NAMES.map(inAnyCase).join('|')})\\((?:${listOf(ARGUMENT)}|\\s*)\\)`;
const BETWEEN = '\\s|[()]|&&';
const PART = `(?:${BETWEEN}|${OTHERS})*${HOSTS}(?:${BETWEEN}|${HOSTS}|${OTHERS})*`;

/** A rule whose hosts are all that it may lead to. */
export const READABLE_RULE = `^${PART}(?:\\|\\|${PART})*$`;
/** A matcher of hosts, in a rule that can be read. */
export const HOST_MATCHER = HOSTS;
/** A host in its quotes, in such a matcher. */
export const QUOTED_HOST = HOST_ARGUMENT;

function listOf(argument: string): string {
  return `\\s*${argument}(?:\\s*,\\s*${argument})*\\s*`;
}

function inAnyCase(name: string): string {
  return [...name].map(letter => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('');
}
