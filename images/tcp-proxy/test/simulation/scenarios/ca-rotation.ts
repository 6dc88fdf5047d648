import { X509Certificate } from 'crypto';
import type { Scenario } from './scenario';
import { notReady, notSynced, publishedCertificate } from '../fault-state';
import { TENANT } from '../world';

/** Longer than what a fault may delay the step before. */
const OVERLAP_MS = 1_230_000;
const SYSTEM = '/api/v1/namespaces/kube-system';

/** The tenant gets another CA: both are trusted, pods learn of the new one, the certificate follows, and the old one goes. */
export const CA_ROTATION: Scenario = {
  name: 'CA rotation',
  sizes: { nodes: 1, gateways: 1, syncs: 1, syncFlags: { secretsInterval: '15s', caSettleTime: '20s', caOverlap: '20m' } },
  play: (world, { authority, other }) => {
    const { machines, management, tenant } = world;
    let [issuer, trusted] = [authority, [authority]];
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    return {
      steps: [
        [() => machines.start(), 15_000],
        [() => {
          management.byOthers(() => management.put(`/api/v1/namespaces/tenants/secrets/${TENANT}-ca`, {
            data: { 'tls.crt': base64(other.certificate), 'tls.key': base64(other.key) },
          }));
          trusted = [other, authority];
        }, 20_000],
        [() => {
          tenant.byOthers(() => tenant.put(`${SYSTEM}/configmaps/kube-root-ca.crt`, { data: { 'ca.crt': other.certificate } }));
          issuer = other;
        }, 60_000],
        [() => {
          trusted = [other];
        }, OVERLAP_MS],
        [() => machines.proxies.forEach(({ haproxy }) => haproxy?.running && haproxy.crash()), 4_000],
      ],
      wrong: () => {
        const published = publishedCertificate(world);
        const authorities = String(tenant.object(`${SYSTEM}/configmaps/tcp-proxy-ca`)?.data['ca.crt']).match(/-----BEGIN[^-]+/g)?.map(pem => pem.replace(/\s/g, '')) ?? [];
        const wanted = trusted.map(({ certificate }) => /-----BEGIN[^-]+/.exec(certificate)![0].replace(/\s/g, ''));
        const right = published?.verify(new X509Certificate(issuer.certificate).publicKey);
        return [
          ...notReady(world),
          ...notSynced(world),
          ...right ? [] : ['the certificate that is published is of another authority'],
          ...authorities.sort().join() === wanted.sort().join() ? [] : [`${authorities.length} authorities are published, not ${wanted.length}, or others`],
          ...machines.proxies.flatMap(({ name, haproxy }) => [
            ...haproxy?.certificate?.fingerprint === published?.fingerprint ? [] : [`${name} serves another certificate than the one that is published`],
            ...haproxy?.authorityCount === trusted.length ? [] : [`${name} trusts ${haproxy?.authorityCount} authorities, not ${trusted.length}`],
          ]),
        ];
      },
    };
  },
};
