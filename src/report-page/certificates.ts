import { counted, Html, html, table } from './html';
import { daysLeft, LiveFacts } from './live-facts';
import { day, EXPIRING_DAYS, inDays } from './summary';

/** So many are shown; the others end later. */
const SHOWN = 10;

/** Which certificates of servers end first. What was not looked at is not known, and said so. */
export function certificatesSection(live: LiveFacts | undefined): Html {
  const all = (live?.tenants ?? []).flatMap(({ namespace, name, certificates }) => certificates.map(certificate => ({ tenant: `${namespace}/${name}`, ...certificate })))
    .sort((a, b) => a.validUntil === b.validUntil ? (a.tenant < b.tenant ? -1 : 1) : a.validUntil < b.validUntil ? -1 : 1);
  if (!live || all.length === 0) {
    return html`<section id="certificates"><h2>Certificates</h2>
<p>${live ? 'No server showed a certificate.' : html`When they end is not in manifests: <code>doctor live</code> looks at the running platform, and writes this page again with what it saw.`}</p></section>`;
  }
  const within = all.filter(certificate => daysLeft(certificate, live) < EXPIRING_DAYS).length;
  return html`<section id="certificates"><h2>Certificates</h2>
<p>${counted(all.length, 'certificate')} of servers seen at ${live.at}; ${within === 0 ? 'none of them ends' : `${within} of them end`} within ${EXPIRING_DAYS} days.
${all.length > SHOWN && `The ${SHOWN} that end first:`}</p>
${table(['tenant', 'server', 'valid until', '', 'issued by the CA of the tenant'], all.slice(0, SHOWN).map(certificate => [
  certificate.tenant, certificate.of, day(certificate.validUntil),
  html`<span class="${daysLeft(certificate, live) < EXPIRING_DAYS ? 'bad' : 'good'}">${inDays(daysLeft(certificate, live))}</span>`,
  certificate.trusted === undefined ? 'not checked' : certificate.trusted ? 'yes' : 'no',
]))}
<p>Client certificates, the CA itself and those of tcp-proxies are not among them: they do not show on the network.</p>
</section>`;
}
