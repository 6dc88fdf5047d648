import { hostPort } from './target';
import { ConfigurationError } from '../../../cli/configuration';
import { someOf } from '../../../src/findings/rules/rule';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { ManifestTarget, ManifestTargets } from '../manifests/target';

/** Which of several control planes are wanted; with nothing said, the only one. */
export interface Wish {
  readonly all?: boolean;
  /** `namespace/name`. */
  readonly tenant?: string;
  readonly host?: string;
  /** Tells control planes of one host apart. */
  readonly port?: number;
}

/** Where control planes were read, for messages. */
export interface Origin {
  /** The flag and its value. */
  readonly flag: string;
  /** What to do where no control plane is. */
  readonly remedy: string;
}

/** `namespace/name` of a control plane. */
export function tenantName({ source }: Pick<ControlPlane, 'source'>): string {
  return `${source.namespace}/${source.name}`;
}

/**
 * The control planes to check.
 *
 * @throws ConfigurationError when there is none, or several that are not told apart
 */
export function chosenAmong({ reachable, withoutHost }: ManifestTargets, wish: Wish, { flag, remedy }: Origin): ManifestTarget[] {
  const refused = (text: string) => new ConfigurationError(`${flag}: ${text}`);
  const hidden = withoutHost.filter(controlPlane => wish.tenant === undefined || tenantName(controlPlane) === wish.tenant);
  if (reachable.length + withoutHost.length === 0) throw refused(`no control plane is in there; ${remedy}`);
  const chosen = choose(reachable, wish);
  if (chosen.length === 1 || (wish.all && chosen.length > 0)) return chosen;
  if (chosen.length === 0 && hidden.length > 0 && wish.host === undefined) {
    const names = hidden.map(controlPlane => `${tenantName(controlPlane)} of ${controlPlane.system}`);
    throw refused(`no host leads to ${someOf(names)}; give its host and --port alone`);
  }
  const known = someOf((chosen.length > 0 ? chosen : reachable).map(describe)) || 'none that a host leads to';
  const named = wish.tenant ?? wish.host;
  if (chosen.length === 0) throw refused(`has no control plane ${JSON.stringify(named)}; in there: ${known}`);
  throw refused(`${chosen.length} control planes are in there${named === undefined ? '' : ` with ${JSON.stringify(named)}`}: ${known}; `
    + (wish.tenant === undefined ? 'give --tenant <namespace/name>, or --all' : 'give its host too'));
}

/** The port decides only where the host does not: a flag may send the doctor to another port than that of the manifests. */
function choose(reachable: ManifestTarget[], { tenant, host, port }: Wish): ManifestTarget[] {
  const named = reachable.filter(target => (tenant === undefined || tenantName(target.controlPlane) === tenant)
    && (host === undefined || target.host === host.toLowerCase()));
  return named.length > 1 && host !== undefined && port !== undefined ? named.filter(target => target.port === port) : named;
}

function describe(target: ManifestTarget): string {
  return `${tenantName(target.controlPlane)} (${target.byPort ? hostPort(target) : target.host})`;
}
