import { ExposureReportDocument } from '../../src';
import { topologyPicture } from '../../src/report-page/topology-picture';

/** As on the page of the report, in a file of its own, on a ground of its own: readers may have a dark one. */
const STYLE = `
text { font: 11.5px system-ui, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif; fill: #5b6b7b; }
.title { font-size: 13px; font-weight: 600; fill: #1b2733; }
rect { fill: #fff; stroke: #b8c4d0; }
.edge rect { fill: #1f6feb; stroke: none; }
.edge text { fill: #fff; text-anchor: middle; }
path { fill: none; stroke: #9fb3c8; stroke-width: 1.6; }
.paper { stroke: none; }
`;
const MARGIN = 16;

/** The picture of a platform: who connects through the shared address to which control planes. */
export function topologySvg(document: ExposureReportDocument): string {
  const { text } = topologyPicture(document, undefined);
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(text)!.map(Number);
  const [w, h] = [width + 2 * MARGIN, height + 2 * MARGIN];
  return text
    .replace(/^<svg /, '<svg xmlns="http://www.w3.org/2000/svg" ')
    .replace(/viewBox="[^"]*"/, `viewBox="${-MARGIN} ${-MARGIN} ${w} ${h}" width="${w}" height="${h}"`)
    .replace(/>/, `><style>${STYLE}</style><rect class="paper" x="${-MARGIN}" y="${-MARGIN}" width="${w}" height="${h}" rx="12"/>`)
    .replace(/<\/?a\b[^>]*>/g, '');
}
