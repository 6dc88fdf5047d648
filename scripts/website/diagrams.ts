import { createHash } from 'crypto';
import { readFileSync } from 'fs';
import { join } from 'path';

const ROOT = join(__dirname, '..', '..');

/**
 * What each Mermaid diagram shows, by its file, in the order in which they are there. GitHub draws them itself; everywhere else there is a
 * picture in docs/images, which scripts/diagram-pictures.ts draws.
 */
export const DIAGRAMS: { readonly [file: string]: readonly string[] } = {
  'README.md': ['Pods, kubelets, konnectivity agents and kubectl reach the API servers of two tenants through one shared address, by their server names'],
  'docs/certificates.md': ['How the proxy, the pods and the API server come to a new certificate authority, one after the other'],
  'docs/design.md': ['One exposure, made of the props, is what platforms, controllers, the tcp-proxy and all outputs are made of'],
};

export interface Diagram {
  readonly title: string;
  /** Name of its file in docs/images. */
  readonly picture: string;
}

export function diagramOf(file: string, number: number): Diagram {
  const title = DIAGRAMS[file]?.[number];
  if (title === undefined) {
    throw new Error(`${file}: diagram ${number + 1} has no title; add it to DIAGRAMS of scripts/website/diagrams.ts, then run scripts/diagram-pictures.ts`);
  }
  const name = file.replace(/^docs\//, '').replace(/\.md$/, '').toLowerCase();
  return { title, picture: `diagram-${name}${number === 0 ? '' : `-${number + 1}`}.svg` };
}

/** The diagrams of a file, as they are written. */
export function diagramsIn(file: string): string[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)].map(([, source]) => source);
}

/** By which a picture says of which source it was drawn. */
export function markOf(source: string): string {
  return `drawn from ${createHash('sha256').update(source).digest('hex').slice(0, 16)}`;
}
