import { Scope } from './scope';

/** A line, or several, of a panel. */
export interface Query {
  readonly expr: (scope: Scope) => string;
  /** Name of a line, with the labels in `{{…}}`. */
  readonly legend: string;
}

/** A picture of a dashboard. */
export interface Panel {
  readonly title: string;
  /** What it shows and what is usual, for people. */
  readonly description: string;
  /** A number for now, or lines over time. @default - lines */
  readonly single?: boolean;
  /** As Grafana calls it, e.g. `s`, `Bps`, `percentunit`, `short`. */
  readonly unit: string;
  /** Where the axis begins and ends. @default - at zero, and with the data */
  readonly max?: number;
  readonly queries: readonly Query[];
}

/** A dashboard of one use of the image. */
export interface Dashboard {
  readonly title: (scope: Scope) => string;
  readonly panels: readonly Panel[];
}

/** Grafana has 24 columns. */
const COLUMNS = 24;
const SINGLE = { w: 6, h: 4 };
const LINES = { w: 12, h: 8 };
/** Of the model of dashboards that Grafana 10 and newer write; older ones are moved up, newer ones are not. */
const SCHEMA_VERSION = 39;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/**
 * A dashboard as Grafana imports it. The data source is a choice of its reader.
 *
 * @param uid identifies it in a Grafana: what is imported with the same replaces it
 */
export function dashboardModel({ title, panels }: Dashboard, scope: Scope, uid: string): object {
  return {
    uid,
    title: title(scope),
    tags: ['hosted-control-plane'],
    editable: false,
    graphTooltip: 1,
    schemaVersion: SCHEMA_VERSION,
    time: { from: 'now-6h', to: 'now' },
    refresh: '1m',
    templating: { list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }] },
    panels: places(panels).map((gridPos, i) => panelModel(panels[i], scope, i + 1, gridPos)),
  };
}

/** From left to right and from top to bottom; a row has panels of one size. */
function places(panels: readonly Panel[]): { x: number; y: number; w: number; h: number }[] {
  let [x, y, height] = [0, 0, 0];
  return panels.map(({ single }) => {
    const { w, h } = single ? SINGLE : LINES;
    if (x + w > COLUMNS || (height > 0 && h !== height)) {
      [x, y] = [0, y + height];
    }
    height = h;
    const place = { x, y, w, h };
    x += w;
    return place;
  });
}

function panelModel({ title, description, single, unit, max, queries }: Panel, scope: Scope, id: number, gridPos: object): object {
  return {
    id,
    type: single ? 'stat' : 'timeseries',
    title,
    description,
    gridPos,
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit, min: 0, max, custom: single ? undefined : { fillOpacity: 10, showPoints: 'never' } }, overrides: [] },
    options: single
      ? { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, colorMode: 'none', graphMode: 'area' }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend }, i) => ({ refId: String.fromCharCode('A'.charCodeAt(0) + i), datasource: DATASOURCE, expr: expr(scope), legendFormat: legend })),
  };
}
