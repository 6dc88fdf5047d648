import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { ALL_VERSION_FACTS } from '../src/versions/all';
import { TLS_ROUTE_OF_OPERATORS, TLS_ROUTE_SERVED_BY } from '../src/versions/tls-route';
import { KnownVersions, VersionFacts } from '../src/versions/version-facts';

/*
 * Writes what the library knows of versions into the page about them, between two marks.
 */
export const VERSIONS_PAGE = join(__dirname, '..', 'docs', 'upgrading.md');
const [START, END] = ['<!-- versions -->\n', '<!-- /versions -->'];

/** The page with the table of today's facts. */
export function withVersionsTable(page: string): string {
  const [before, after] = [page.indexOf(START), page.indexOf(END)];
  if (before < 0 || after < before) {
    throw new Error(`${VERSIONS_PAGE}: has no ${START.trim()} … ${END}`);
  }
  return page.slice(0, before + START.length) + `${versionsTable(ALL_VERSION_FACTS)}\n${tlsRouteTable()}` + page.slice(after);
}

function versionsTable(facts: readonly VersionFacts[]): string {
  const rows = facts.map(({ subject, read, newest, known, override }) =>
    [subject, newest, read, describe(known) || 'nothing', override.replace(/^\S+/, '`$&`')]);
  return table(['versions of', 'newest read', 'read in', 'what is known of others', 'what overrides it'], rows);
}

function tlsRouteTable(): string {
  const writers = (version: string) =>
    Object.entries(TLS_ROUTE_OF_OPERATORS).filter(([, written]) => written === version).map(([operator]) => operator);
  return table(['TLSRoute', 'served by', 'written by, with `OperatorRoutes.GATEWAY`'],
    Object.entries(TLS_ROUTE_SERVED_BY).map(([version, served]) => [`\`${version}\``, served, writers(version).join(', ')]));
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |\n`).join('');
}

/** Ranges of versions, those together that share a reason. */
function describe(known: readonly KnownVersions[]): string {
  const ranges = new Map<string, string[]>();
  for (const { from, before, breaks, reason } of known) {
    const what = `**${breaks ? 'error' : 'warning'}**: ${reason}`;
    const range = [from && `from ${from}`, before && `before ${before}`].filter(Boolean).join(' ');
    ranges.set(what, [...ranges.get(what) ?? [], range]);
  }
  return [...ranges].map(([what, those]) => `${those.join('; ')} ${what}`).join('<br>');
}

if (require.main === module) {
  writeFileSync(VERSIONS_PAGE, withVersionsTable(readFileSync(VERSIONS_PAGE, 'utf8')));
}
