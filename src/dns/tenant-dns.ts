import { closestDomain, parentOf, validateRecordName, wildcardDomain } from './dns-name';
import { DnsRecord } from './dns-record';
import { DnsTarget } from './dns-target';
import { NameTree } from './name-tree';
import { requireKnownEntry } from '../model/entry';
import { Exposure } from '../model/exposure';
import { AN_EXPOSURE } from '../model/exposure-checks';
import { PassthroughRoute } from '../model/exposure-props';
import { validateDnsName } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { Check, Checks, checkProps, instance, listOf, mapOf, optional, struct } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** RFC 2181, section 8. */
const MAX_TTL_SECONDS = 2 ** 31 - 1;

/** A name with a target of its own. */
export interface AdditionalName {
  /** The name, without a final dot; `*.` and a domain for a wildcard. */
  readonly name: string;
  /** Where it leads to. */
  readonly target: DnsTarget;
}

/** What the DNS of tenants is computed from. */
export interface TenantDnsProps {
  /** The exposures whose names are published. */
  readonly exposures: Exposure[];
  /** Where the names of the main entry lead to: the shared address. */
  readonly target: DnsTarget;
  /**
   * Where the names of other entries lead to, by the name of the entry, e.g. `{ public: DnsTarget.addresses(["203.0.113.10"]) }`; `konnectivity`
   * where that has a controller of its own. Names of entries without a target are left out: another TenantDns may hold them.
   * @default - none: the names of the main entry alone
   */
  readonly entryTargets?: { [entry: string]: DnsTarget };
  /** The DNS zones that hold the names. Every name must lie in one; where zones lie in each other, the deepest counts. */
  readonly zones: string[];
  /**
   * Domains that get one wildcard record instead of a record for each name directly below. A name that lies deeper
   * below is an error.
   * @default - none: each name has a record of its own
   */
  readonly wildcardDomains?: string[];
  /**
   * Further names of the zones: that of a name server, the canonical name itself, or a tenant's name that leads elsewhere.
   * @default - none
   */
  readonly additionalNames?: AdditionalName[];
  /**
   * How long resolvers may keep an answer, in seconds: 1 to 2147483647.
   * @default 300
   */
  readonly ttlSeconds?: number;
}

const A_TARGET = instance<DnsTarget>('Give one, e.g. DnsTarget.addresses(["192.0.2.10"])', 'ipv4', 'isKnown');

const CHECKS: Checks<TenantDnsProps> = {
  exposures: listOf(AN_EXPOSURE, 'Give those of your control planes, e.g. [controlPlane.exposure]'),
  target: A_TARGET,
  entryTargets: optional(mapOf(A_TARGET)),
  zones: listOf(validateText, 'Give the DNS zones of your names, e.g. ["k8s.example.com"]'),
  wildcardDomains: optional(listOf(validateText)),
  additionalNames: optional(listOf(struct<AdditionalName>({ name: validateText, target: A_TARGET }))),
  ttlSeconds: optional(validateTtl),
};

/**
 * The DNS records through which the public names of tenants lead to the shared address. The names are those of the
 * exposures, none is made here.
 *
 * Immutable. `DnsOutput` writes it for DNS servers, `ExternalDnsEndpoint` and `CloudflareTunnel` emit objects of it.
 *
 * @example
 * const dns = new TenantDns({
 *   exposures: [controlPlane.exposure],
 *   target: DnsTarget.addresses(['203.0.113.10']),
 *   zones: ['k8s.example.com', 'konnectivity.example.com'],
 * });
 * DnsOutput.bind().writeFiles(dns, 'dist/dns');
 */
export class TenantDns {
  /** Where the names lead to. */
  public readonly target: DnsTarget;
  /** The zones that hold the names. */
  public readonly zones: string[];
  /** How long resolvers may keep an answer, in seconds. */
  public readonly ttlSeconds: number;
  /** The public names of the tenants, each once, also those that a wildcard answers for. */
  public readonly hosts: string[];
  /** The names that have records: wildcards instead of the hosts that they answer for. */
  public readonly names: string[];
  /** The records; none for names whose target only an object's status knows. */
  public readonly records: DnsRecord[];
  /** The routes of the main entries: those that `target` is for. */
  public readonly routes: PassthroughRoute[];
  /** @internal */
  public readonly _tree: NameTree;

  public constructor(props: TenantDnsProps) {
    checkProps('', required('props', props, 'Give exposures, target and zones'), CHECKS);
    this.target = props.target;
    this.zones = frozen(validateDomains('zones', props.zones));
    if (this.zones.length === 0) {
      throw invalidInput('zones', props.zones, 'names no zone to hold the records', 'Give the DNS zones of your names, e.g. "k8s.example.com"');
    }
    this.ttlSeconds = props.ttlSeconds ?? 300;
    this.routes = frozen(props.exposures.flatMap(exposure => exposure.routes.filter(route => !route.ownAddress && route.entry === undefined)));
    const entryHosts = hostsOfEntries(props);
    this.hosts = frozen([...new Set([...this.routes.map(route => route.hostname), ...entryHosts.keys()])].sort());
    if (this.hosts.length === 0) {
      throw invalidInput('exposures', props.exposures, 'has no exposure, so there is no name to publish', 'Give the exposure of a control plane');
    }
    this._tree = this.buildTree(props, entryHosts);
    this.names = frozen(this._tree.names());
    this.names.forEach(name => this.validateName(name));
    this.records = frozen(this.names.flatMap(name => this._tree.get(name)!._values
      .map(([type, values]) => ({ name, type, values, ttlSeconds: this.ttlSeconds }))));
  }

  /** The zone that holds a name. */
  public zoneOf(name: string): string {
    validateText('name', name);
    const zone = closestDomain(wildcardDomain(name) ?? name, this.zones);
    if (zone === undefined) {
      throw invalidInput('zones', this.zones, `hold no zone for the name "${name}"`, 'Add the zone that it lies in, or give the exposure another hostname');
    }
    return zone;
  }

  /** @internal The target that holds the addresses of a name, behind canonical names whose own addresses are known here. */
  public _addressesOf(name: string): DnsTarget | undefined {
    let target = this._tree.targetOf(name);
    while (target?.canonical !== undefined) {
      target = this._tree.targetOf(target.canonical);
    }
    return target;
  }

  private buildTree(props: TenantDnsProps, entryHosts: Map<string, DnsTarget>): NameTree {
    const wildcardDomains = validateDomains('wildcardDomains', props.wildcardDomains ?? []);
    const tree = new NameTree();
    wildcardDomains.forEach(domain => tree.add(`*.${domain}`, props.target));
    (props.additionalNames ?? []).forEach(({ name, target }, i) => {
      const field = `additionalNames[${i}].name`;
      validateRecordName(field, name);
      if (tree.get(name)) {
        throw wildcardDomains.includes(wildcardDomain(name) ?? '')
          ? invalidInput(field, name, 'is also the wildcard of wildcardDomains, with another target', 'Remove it from one of them')
          : invalidInput(field, name, 'is listed twice; one name has one target', 'Give all its addresses in one target');
      }
      if (!target.isKnown) {
        throw invalidInput(`additionalNames[${i}].target`, name, 'has no address', 'Use DnsTarget.addresses or DnsTarget.canonicalName');
      }
      tree.add(name, target);
    });
    const covered: string[] = [];
    // A wildcard leads to the main entry.
    entryHosts.forEach((target, host) => tree.get(host) ?? tree.add(host, target));
    for (const host of this.hosts.filter(name => !tree.get(name))) {
      if (isCovered(host, wildcardDomains)) {
        covered.push(host);
      } else {
        tree.add(host, props.target);
      }
    }
    // A name with others below it exists, so that its wildcard does not answer for it; nor does that of another zone for a zone's own name.
    covered.filter(host => tree.exists(host) || this.zones.includes(host)).forEach(host => tree.add(host, props.target));
    return tree;
  }

  private validateName(name: string): void {
    const zone = this.zoneOf(name);
    const visited = new Set<string>();
    for (let at = name; ;) {
      const canonical = this._tree.targetOf(at)?.canonical;
      if (canonical === undefined) {
        return;
      }
      if (this.zones.includes(at)) {
        throw invalidInput('target', canonical, `would be a CNAME record of ${at}, but a zone's own name has SOA and NS records, which no CNAME may stand beside`,
          `Use DnsTarget.addresses for it, or a zone above "${zone}"`);
      }
      if (visited.has(at)) {
        throw invalidInput('target', canonical, `leads ${name} back to itself`,
          `Give "${canonical}" addresses in additionalNames, or a name that no wildcard here answers for`);
      }
      visited.add(at);
      at = canonical;
    }
  }
}

/**
 * The hosts of other entries, as far as they have a target.
 *
 * @throws when a wildcard of the main entry would lead one of the others to it
 */
function hostsOfEntries({ exposures, entryTargets = {}, wildcardDomains = [] }: TenantDnsProps): Map<string, DnsTarget> {
  const known = new Set(exposures.flatMap(({ entries }) => entries));
  for (const [entry, target] of Object.entries(entryTargets)) {
    requireKnownEntry('entryTargets', entry, known);
    if (!target.isKnown) {
      throw invalidInput(`entryTargets["${entry}"]`, entry, 'has no address', 'Use DnsTarget.addresses or DnsTarget.canonicalName');
    }
    if (target.tunnelId !== undefined) {
      throw invalidInput(`entryTargets["${entry}"]`, target.canonical, 'is a Cloudflare Tunnel, which leads to one ingress controller', 'Use it as the target of the main entry');
    }
  }
  const targets = new Map(Object.entries(entryTargets));
  for (const exposure of exposures) {
    for (const entry of exposure.entries.filter(name => !targets.has(name))) {
      const host = exposure.dnsNamesOf(entry).find(name => wildcardDomains.includes(parentOf(name)!));
      if (host !== undefined) {
        throw invalidInput('wildcardDomains', `*.${parentOf(host)}`, `would lead "${host}" of the entry "${entry}" to the address of the main one`,
          `Give the entry a target: entryTargets: { ${JSON.stringify(entry)}: DnsTarget.addresses([...]) }`);
      }
    }
  }
  return new Map(exposures.flatMap(exposure => exposure.entries.filter(entry => targets.has(entry))
    .flatMap(entry => exposure.dnsNamesOf(entry).map((host): [string, DnsTarget] => [host, targets.get(entry)!]))));
}

export const A_TENANT_DNS: Check<TenantDns> = instance<TenantDns>('Give a TenantDns', 'target', 'records', '_tree');

/** Checks a time to live in seconds. */
export function validateTtl(field: string, seconds: number): number {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_TTL_SECONDS) {
    throw invalidInput(field, seconds, 'is not a time to live', `Give whole seconds from 1 to ${MAX_TTL_SECONDS}`);
  }
  return seconds;
}

/** Servers answer deeper names by a wildcard too, but certificates, Cloudflare and resolvers' caches differ on them. */
function isCovered(host: string, wildcardDomains: string[]): boolean {
  const domain = closestDomain(parentOf(host)!, wildcardDomains);
  if (domain !== undefined && parentOf(host) !== domain) {
    throw invalidInput('wildcardDomains', `*.${domain}`, `does not stand for the host "${host}", which lies more than one label below`,
      `Add "${parentOf(host)}" to wildcardDomains, or give the exposure a hostname directly below "${domain}"`);
  }
  return domain !== undefined;
}

function validateDomains(field: string, domains: string[]): string[] {
  domains.forEach((domain, i) => {
    if (domain.startsWith('*.')) {
      throw invalidInput(`${field}[${i}]`, domain, 'is a wildcard', `Write the domain alone: "${domain.slice(2)}"`);
    }
    validateDnsName(`${field}[${i}]`, domain);
    if (domains.indexOf(domain) !== i) {
      throw invalidInput(`${field}[${i}]`, domain, 'is listed twice', 'Remove it');
    }
  });
  return [...domains].sort();
}

/** jsii knows no read-only arrays; a change would reach only a part of the output. */
function frozen<T>(items: T[]): T[] {
  return Object.freeze([...items]) as T[];
}
