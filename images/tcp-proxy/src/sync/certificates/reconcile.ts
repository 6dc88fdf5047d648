import type { Logger } from 'pino';
import type { AuthorityCertificate } from './authority';
import type { SecretReader, TenantObject, TenantObjects } from './clusters';
import { issueServingCertificate } from './issue';
import { KeyPair, readPair, TLS_KEYS } from './key-pair';
import { carriesExactly } from './names';
import { caConfigMap, holds, readAuthorities, readCaState, servingSecret, TLS_SECRET_TYPE } from './objects';
import { DEFAULT_TIMING, Facts, plan, Timing } from './plan';
import { renewalTime, ServedPair, UsablePair } from './renewal';
import { authorityOf, readSources, Sources } from './sources';
import { CertificateRequest, HELD_BY, TenantHold } from '../../../../../src/agent/contract/bundle';
import { CertificateError } from '../../certificates/certificate-pair';

/** In every namespace the controllers of the tenant keep the authorities that its pods trust under this name. */
const POD_CA_CONFIG_MAP = 'kube-root-ca.crt';

export interface CertificateReconciliation {
  readonly request: CertificateRequest;
  readonly management: SecretReader;
  readonly tenant: TenantObjects;
  readonly now: Date;
  readonly log: Logger;
  /** By what the tenant is known as one's own, which the ConfigMap is to say. */
  readonly hold?: TenantHold;
  /** Default: `DEFAULT_TIMING`. */
  readonly timing?: Partial<Timing>;
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
  const { request, tenant, now, log, timing = {} } = options;
  const { facts, sources, secret, configMap, caNotAfter } = await observe(options);
  const { decision, trust } = plan(facts, now, { ...DEFAULT_TIMING, ...timing });

  const written: TenantObject['kind'][] = [];
  const wanted = caConfigMap(request, { ...trust, settling: decision.action === 'wait' ? decision.settling : undefined }, holderOf(options.hold, configMap));
  if (!holds(configMap, wanted)) {
    // Another may have taken the tenant since it was read.
    await tenant.apply({ ...wanted, metadata: { ...wanted.metadata, resourceVersion: configMap?.metadata.resourceVersion } });
    written.push('ConfigMap');
    log.info({ configMap: request.caConfigMapName, authorities: trust.certificates.length }, 'tenant CA written');
  }
  if (decision.action !== 'replace') {
    const { notAfter } = facts.served as UsablePair;
    const waiting = decision.action === 'wait' ? decision.reason : undefined;
    return { notAfter, caNotAfter, nextRun: earliest(decision.again, trust.again), waiting, written };
  }

  requireTlsType(secret, request);
  const pair = await newPair(request, sources, now);
  await tenant.apply(servingSecret(request, pair));
  written.push('Secret');
  const { notBefore, notAfter } = validity(pair);
  log.info({ secret: request.secretName, reason: decision.reason, notAfter }, 'serving certificate written');
  return { notAfter, caNotAfter, nextRun: earliest(renewalTime({ notBefore, notAfter }, facts.replacement), trust.again), written };
}

/** Who is to be named as the holder of the tenant: only who takes it puts another's name away. */
function holderOf(hold: TenantHold | undefined, configMap: TenantObject | undefined): string | undefined {
  const named = configMap?.metadata.annotations?.[HELD_BY];
  return hold?.taking ? hold.id : named ?? hold?.id;
}

interface Observation {
  readonly facts: Facts<AuthorityCertificate>;
  readonly sources: Sources;
  readonly secret?: TenantObject;
  readonly configMap?: TenantObject;
  readonly caNotAfter: Date;
}

async function observe({ request, management, tenant }: CertificateReconciliation): Promise<Observation> {
  const { namespace, secretName, caConfigMapName } = request;
  const [sources, secret, configMap, podCaConfigMap] = await Promise.all([
    readSources(request, management),
    tenant.get('Secret', namespace, secretName),
    tenant.get('ConfigMap', namespace, caConfigMapName),
    tenant.get('ConfigMap', namespace, POD_CA_CONFIG_MAP),
  ]);
  const { certificates: trusted, ...recorded } = readCaState(configMap, sources.authorities);
  const podCa = readAuthorities(podCaConfigMap, sources.authorities);
  const known = [...sources.authorities, ...podCa, ...trusted];
  const current = sources.signer?.certificate ?? sources.authorities[0];
  const replacement = sources.pair
    ? { authority: authorityOf(sources.pair, known)?.id, notAfter: validity(sources.pair).notAfter, renewable: false }
    : { authority: current.id, notAfter: current.notAfter, renewable: true };
  return {
    facts: {
      served: servedPair(secret, request, sources, known),
      replacement,
      current: sources.authorities,
      trusted,
      ...recorded,
      podAuthorities: isForClient(request) ? new Set([replacement.authority ?? '']) : new Set(podCa.map(({ id }) => id)),
    },
    sources,
    secret,
    configMap,
    caNotAfter: current.notAfter,
  };
}

/** What says who a client is need not be trusted by pods. */
function isForClient(request: CertificateRequest): boolean {
  return request.kind === 'copy' && request.purpose === 'client';
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

function requireTlsType(secret: TenantObject | undefined, { secretName, namespace }: CertificateRequest): void {
  if (secret?.type === undefined || secret.type === TLS_SECRET_TYPE) return;
  throw new CertificateError(`Secret "${secretName}" in the namespace "${namespace}" of the tenant has the type ${secret.type}, ` +
    'which cannot be changed: delete it, or give the Secret of the proxy another name');
}

async function newPair(request: CertificateRequest, { signer, pair }: Sources, now: Date): Promise<KeyPair> {
  if (request.kind === 'issue') return issueServingCertificate({ authority: signer!, names: request, now });
  const { notAfter } = validity(pair!);
  if (notAfter <= now) {
    throw new CertificateError(`Secret "${request.source.secretName}" of the management cluster: the certificate expired at ${notAfter.toISOString()}`);
  }
  return pair!;
}

function validity({ chain: [leaf] }: KeyPair): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(leaf.validFrom), notAfter: new Date(leaf.validTo) };
}

function earliest(...times: (Date | undefined)[]): Date | undefined {
  const known = times.filter(time => time !== undefined);
  return known.length > 0 ? new Date(Math.min(...known.map(time => time.getTime()))) : undefined;
}
