import { pickNumber, pickText } from './fields';

/** The arguments of matchers in a rule, with whichever quotes; matchers may be in capitals (traefik/traefik, `pkg/rules/parser.go`). */
export function argumentsOf(rule: string, matcher: string): string[] {
  return [...rule.matchAll(new RegExp(`\\b(?:${matcher})\\(([^)]*)\\)`, 'gi'))]
    .flatMap(([, list]) => [...list.matchAll(/`([^`]*)`|"([^"]*)"/g)].map(([, inBackticks, inQuotes]) => inBackticks ?? inQuotes));
}

/** Of a route of an IngressRoute or IngressRouteTCP; 0 and none mean the length of the rule. */
export function traefikPriority(route: unknown): number {
  return pickNumber(route, 'priority') || (pickText(route, 'match') ?? '').length;
}
