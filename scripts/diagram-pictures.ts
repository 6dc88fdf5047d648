import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { pathToFileURL } from 'url';
import { DIAGRAMS, diagramOf, diagramsIn, markOf } from './website/diagrams';
import { Browser } from '../test/upstream/support/browser';
import { provided } from '../test/upstream/support/provided';
import { Tab } from '../test/upstream/support/tab';

/*
 * Draws docs/images/diagram-*.svg of the Mermaid diagrams of README.md and docs/, for where nobody draws Mermaid: npm, PyPI, pkg.go.dev, the website. A test
 * fails for one whose source is another than that of its picture.
 */
const IMAGES = join(__dirname, '..', 'docs', 'images');

async function main(): Promise<void> {
  const [script] = provided('mermaid');
  const folder = mkdtempSync(join(tmpdir(), 'diagrams-'));
  const browser = Browser.start(provided('chromium'));
  try {
    const page = join(folder, 'page.html');
    writeFileSync(page, `<!doctype html><meta charset="utf-8"><body><script>${readFileSync(script, 'utf8').replace(/<\/script/g, '<\\/script')}</script></body>`);
    const tab = await Tab.open(browser, pathToFileURL(page).href);
    await tab.evaluate(`mermaid.initialize({
      startOnLoad: false, theme: 'neutral', htmlLabels: false, flowchart: { htmlLabels: false, useMaxWidth: false, wrappingWidth: 400 }, sequence: { useMaxWidth: false },
      fontFamily: 'system-ui, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif', deterministicIds: true,
    })`);
    for (const file of Object.keys(DIAGRAMS)) {
      for (const [i, source] of diagramsIn(file).entries()) {
        const svg = await tab.evaluate<string>(`mermaid.render('diagram', ${JSON.stringify(source)}).then(({ svg }) => svg)`);
        writeFileSync(join(IMAGES, diagramOf(file, i).picture), onPaper(svg, markOf(source)));
      }
    }
  } finally {
    await browser.stop();
    rmSync(folder, { recursive: true });
  }
}

/** With a white ground, as readers may have a dark one, and without what only a page needs. */
function onPaper(svg: string, mark: string): string {
  const paper = svg.replace(/(<svg\b[^>]*?) style="[^"]*"/, '$1').replace(/(<svg\b[^>]*>)/, '$1<rect x="-50%" y="-50%" width="200%" height="200%" fill="#fff"/>');
  return `${paper.trimEnd().replace(/<br>/g, '<br/>')}\n<!-- ${mark} -->\n`;
}

void main();
