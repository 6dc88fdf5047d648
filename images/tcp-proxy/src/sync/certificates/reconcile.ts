import type { Logger } from 'pino';
import type { AuthorityCertificate } from './authority';
import type { SecretReader, TenantObject, TenantObjects } from './clusters';
import { KeyPair, readPair, TLS_KEYS } from './key-pair';
import { carriesExactly } from './names';
import { caConfigMap, CaState, holds, readAuthorities, readCaState, servingSecret, TLS_SECRET_TYPE } from './objects';
import { decide, renewalTime, Replacement, ServedPair, UsablePair } from './renewal';
import type { CertificateRequest } from './request';
import { authorityOf, readSources, Sources } from './sources';
import { trustedAuthorities } from './trusted-authorities';
import { CertificateError } from '../../certificates/certificate-pair';

/** In every namespace the controllers of the tenant keep the authorities that its pods trust under this name. */
const POD_CA_CONFIG_MAP = 'kube-root-ca.crt';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface CertificateReconciliation {
  readonly request: CertificateRequest;
  readonly management: SecretReader;
  readonly tenant: TenantObjects;
  readonly now: Date;
  readonly log: Logger;
  /** How long the API server's certificate may still be of an earlier CA, in milliseconds. Default: 24 hours. */
  readonly overlapMs?: number;
  /** How long the kubelets take to show a changed ConfigMap to the pods, in milliseconds. Default: 2 minutes. */
  readonly settleMs?: number;
  /** How often to look whether the pods trust a new CA, in milliseconds. Default: 30 seconds. */
  readonly pollMs?: number;
}

export interface CertificateResult {
  /** When the certificate in the tenant expires. */
  readonly notAfter: Date;
  /** When the tenant CA expires. */
  readonly caNotAfter: Date;
  /** When to reconcile again at the latest; undefined when only a change of the Secrets needs it. */
  readonly nextRun?: Date;
  /** Why a certificate that should be replaced stays for now. */
  readonly waiting?: string;
  /** The objects that were written. */
  readonly written: TenantObject['kind'][];
}

/**
 * Keeps the serving certificate of a tenant's proxies, and the CA that they trust, as the request says. The namespace
 * must exist.
 *
 * The CA is written first: a proxy must trust what the API server presents before pods meet the proxy.
 *
 * @throws CertificateError when the Secrets of the management cluster are of no use; what is in the tenant stays.
 *   Errors of the two clusters are passed on.
 */
export async function reconcileCertificate(options: CertificateReconciliation): Promise<CertificateResult> {
  const { request, tenant, now, log } = options;
  const { overlapMs = 24 * HOUR, settleMs = 2 * MINUTE, pollMs = MINUTE / 2 } = options;
  const facts = await observe(options);
  const { sources, served, replacement, state, podAuthorities, caNotAfter } = facts;
  const decision = decide({ served, replacement, podAuthorities, settling: state.settling, now, settleMs, pollMs });

  const { authority } = decision.action === 'replace' ? replacement : served as UsablePair;
  const trust = trustedAuthorities({
    current: sources.authorities,
    trusted: state.certificates,
    record: state.record,
    needed: new Set(authority === undefined ? podAuthorities : [...podAuthorities, authority]),
    now,
    overlapMs,
  });
  const written: TenantObject['kind'][] = [];
  const configMap = caConfigMap(request, { ...trust, settling: decision.action === 'wait' ? decision.settling : undefined });
  if (!holds(facts.configMap, configMap)) {
    await tenant.apply(configMap);
    written.push('ConfigMap');
    log.info({ configMap: configMap.metadata.name, authorities: trust.certificates.length }, 'tenant CA written');
  }

  if (decision.action !== 'replace') {
    const { notAfter } = served as UsablePair;
    return {
      notAfter,
      caNotAfter,
      written,
      nextRun: earliest(decision.again, trust.again),
      waiting: decision.action === 'wait' ? decision.reason : undefined,
    };
  }
  const pair = await newPair(facts, options);
  await tenant.apply(servingSecret(request, pair));
  written.push('Secret');
  const { notBefore, notAfter } = validity(pair);
  log.info({ secret: request.secretName, reason: decision.reason, notAfter }, 'serving certificate written');
  return { notAfter, caNotAfter, written, nextRun: earliest(renewalTime({ notBefore, notAfter }, replacement), trust.again) };
}

/** What there is in the two clusters. */
interface Facts {
  readonly sources: Sources;
  readonly secret?: TenantObject;
  readonly configMap?: TenantObject;
  readonly state: CaState;
  readonly podAuthorities: ReadonlySet<string>;
  readonly served: ServedPair;
  readonly replacement: Replacement;
  readonly caNotAfter: Date;
}

async function observe({ request, management, tenant }: CertificateReconciliation): Promise<Facts> {
  const { namespace, secretName, caConfigMapName } = request;
  const [sources, secret, configMap, podCaConfigMap] = await Promise.all([
    readSources(request, management),
    tenant.get('Secret', namespace, secretName),
    tenant.get('ConfigMap', namespace, caConfigMapName),
    tenant.get('ConfigMap', namespace, POD_CA_CONFIG_MAP),
  ]);
  const state = readCaState(configMap);
  const podCa = readAuthorities(podCaConfigMap);
  const known = [...sources.authorities, ...podCa, ...state.certificates];
  const current = sources.signer?.certificate ?? sources.authorities[0];
  return {
    sources,
    secret,
    configMap,
    state,
    podAuthorities: new Set(podCa.map(({ id }) => id)),
    served: servedPair(secret, request, sources, known),
    replacement: sources.pair
      ? { authority: authorityOf(sources.pair, known)?.id, notAfter: validity(sources.pair).notAfter, renewable: false }
      : { authority: current.id, notAfter: current.notAfter, renewable: true },
    caNotAfter: current.notAfter,
  };
}

function servedPair(
  secret: TenantObject | undefined, request: CertificateRequest, sources: Sources, known: readonly AuthorityCertificate[],
): ServedPair {
  if (!secret) return { problem: 'does not exist' };
  try {
    const pair = readPair(secret, TLS_KEYS);
    return { ...validity(pair), authority: authorityOf(pair, known)?.id, difference: differenceOf(pair, request, sources) };
  } catch (error) {
    if (error instanceof CertificateError) return { problem: error.message };
    throw error;
  }
}

function differenceOf(pair: KeyPair, request: CertificateRequest, { pair: source }: Sources): string | undefined {
  if (request.kind === 'issue') {
    return carriesExactly(pair.chain[0], request) ? undefined : 'is for other names';
  }
  return pair.certificate === source!.certificate && pair.key === source!.key ? undefined : 'differs from its source';
}

/** @throws CertificateError when there can be none */
async function newPair({ sources, secret }: Facts, { request, now }: CertificateReconciliation): Promise<KeyPair> {
  const { namespace, secretName } = request;
  if (secret?.type !== undefined && secret.type !== TLS_SECRET_TYPE) {
    throw new CertificateError(`Secret "${secretName}" in the namespace "${namespace}" of the tenant has the type ${secret.type}, ` +
      'which cannot be changed: delete it, or give the Secret of the proxy another name');
  }
  if (request.kind === 'issue') {
    // Loaded on first use: in most runs every tenant has its certificate already.
    const { issueServingCertificate } = await import('./issue');
    return issueServingCertificate({ authority: sources.signer!, names: request, now });
  }
  const { notAfter } = validity(sources.pair!);
  if (notAfter <= now) {
    throw new CertificateError(`Secret "${request.source.secretName}" of the management cluster: the certificate expired at ${notAfter.toISOString()}`);
  }
  return sources.pair!;
}

function validity({ chain: [leaf] }: KeyPair): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(leaf.validFrom), notAfter: new Date(leaf.validTo) };
}

function earliest(...times: (Date | undefined)[]): Date | undefined {
  const known = times.filter(time => time !== undefined);
  return known.length > 0 ? new Date(Math.min(...known.map(time => time.getTime()))) : undefined;
}
