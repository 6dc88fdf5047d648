import { createHash } from 'crypto';
import { certificatesSection } from './certificates';
import { costsSection } from './costs-section';
import { furtherTables } from './further-tables';
import { counted, Html, html } from './html';
import { LiveFacts } from './live-facts';
import { PageDocument } from './page-document';
import { SCRIPT } from './script';
import { STYLE } from './style';
import { attention, breakdown, tiles } from './summary';
import { tenantsSection } from './tenants';
import { topologyPicture } from './topology-picture';

/**
 * The report as one HTML page that needs nothing else and asks for nothing: no script, style, font or picture of elsewhere. Its policy lets its
 * own script and style run and nothing more, by their hashes.
 *
 * @param live what was seen of the running platform; without it the page says what it does not know
 */
export function reportPage(document: PageDocument, live?: LiveFacts): string {
  const { title, controlPlanes, sharedAddresses, costs } = document;
  const [style, script] = [trusted('style', STYLE), trusted('script', SCRIPT)];
  const policy = [
    "default-src 'none'", `style-src ${style.source}`, `script-src ${script.source}`, 'img-src data:', "base-uri 'none'", "form-action 'none'",
  ].join('; ');
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
${style.element}
</head>
<body>
<header><h1>${title}</h1>
<p>${counted(controlPlanes.length, 'control plane')} behind ${sharedAddresses.length > 0 ? sharedAddresses.join(', ') : 'one shared address'}.
${live && `Looked at ${live.at}.`}</p>
</header>
<main>
${tiles(document, live)}
${attention(document, live)}
<section id="topology"><h2>Topology</h2>
${topologyPicture(document, live)}</section>
${costs && costsSection(costs)}
${controlPlanes.length > 0 && html`<section id="numbers"><h2>What runs</h2>
${breakdown(document)}</section>`}
${certificatesSection(live)}
${tenantsSection(document, live)}
${furtherTables(document)}
</main>
<footer><p>Made by cdk8s-hosted-control-plane ${live ? 'from the definition of the platform and from what its doctor saw' : 'from the definition of the platform alone; nothing of it was looked at'}.</p></footer>
${script.element}
</body>
</html>
`.text;
}

/** An element of our own text, and what a policy calls it. */
function trusted(element: 'style' | 'script', text: string): { readonly element: Html; readonly source: string } {
  return {
    element: new Html(`<${element}>${text}</${element}>`),
    source: `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  };
}
