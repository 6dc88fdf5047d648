import { Target } from './prometheus';

/** What a pod said at one moment. */
export interface Sample {
  readonly target: Target;
  readonly text: string;
}

const MINUTES = 60;
/** The clock of promtool's tests begins here. */
const EPOCH = 0;
/** Values that are moments: the hour is now. */
const MOMENTS = /_(timestamp|start_time)_seconds/;

/** What happens in an hour in which nobody needs to be told of anything; by series, the minutes from and to, and the value meanwhile. */
const ORDINARY: readonly { readonly series: RegExp; readonly from: number; readonly to: number; readonly value: number }[] = [
  // A pod starts, and one leaves that keeps its connections for twenty minutes.
  { series: /^tcp_proxy_ready\{.*part="(upstream|endpoints|addresses|bundles)"/, from: 5, to: 6, value: 0 },
  { series: /^tcp_proxy_ready\{.*job="edge".*part="haproxy"/, from: 20, to: 40, value: 0 },
  { series: /^tcp_proxy_ready\{.*job="edge".*part="shutdown"/, from: 20, to: 40, value: 0 },
  { series: /^tcp_proxy_sync_leader/, from: 6, to: 7, value: 0 },
  // The Secret is there before the ConfigMap with the new authority.
  { series: /^tcp_proxy_certificate_refused/, from: 10, to: 13, value: 1 },
  // A new tenant: its route is there before its Service, its bundle before its Secrets.
  { series: /^tcp_proxy_gateway_services_unresolved/, from: 15, to: 25, value: 1 },
  { series: /^tcp_proxy_sync_tenants\{.*phase="Waiting"/, from: 15, to: 35, value: 1 },
  { series: /^tcp_proxy_sync_tenants\{.*phase="Failed"/, from: 36, to: 46, value: 1 },
  { series: /^tcp_proxy_register_tenants\{.*outcome="failed"/, from: 36, to: 46, value: 1 },
  { series: /^tcp_proxy_endpoints_in_sync/, from: 30, to: 32, value: 0 },
  { series: /^tcp_proxy_sync_kept_endpoints\{.*followed="false"/, from: 30, to: 40, value: 1 },
  { series: /^tcp_proxy_gateway_route_config_maps_unfollowed/, from: 30, to: 40, value: 1 },
];
/** Counters that go up by this once. */
const STEPS: readonly { readonly series: RegExp; readonly at: number; readonly by: number }[] = [
  { series: /^tcp_proxy_haproxy_restarts_total/, at: 12, by: 1 },
  { series: /^tcp_proxy_endpoints_repairs_total/, at: 31, by: 3 },
  { series: /^tcp_proxy_refused_connections_total/, at: 33, by: 50 },
];
/** The pod that leaves has it; no sample of a healthy one does. */
const LEAVING = 'tcp_proxy_ready{part="shutdown"}';

/**
 * A test for promtool: an hour that goes on as the two samples say, with what is ordinary in between.
 *
 * @param seconds between the samples
 * @param alerts  none of which may fire
 */
export function healthyHour(
  ruleFile: string, before: readonly Sample[], after: readonly Sample[], seconds: number, alerts: readonly string[],
): object {
  const now = Date.now() / 1000;
  return {
    rule_files: [ruleFile],
    evaluation_interval: '1m',
    tests: [{
      interval: '1m',
      input_series: before.flatMap(({ target, text }, i) => {
        const [first, second] = [valuesOf(text), valuesOf(after[i].text)];
        if (target.labels.job === 'edge') [first, second].forEach(values => values.set(LEAVING, NaN));
        return [true, false].flatMap(eventful => [...first].filter(([series]) => second.has(series))
          .map(([series, value]) => seriesOf(series, { value, later: second.get(series)!, seconds, now, eventful }, target)));
      }),
      alert_rule_test: alerts.flatMap(alertname => Array.from({ length: MINUTES }, (_, minute) => ({ eval_time: `${minute}m`, alertname, exp_alerts: [] }))),
    }],
  };
}

interface Course {
  readonly value: number;
  readonly later: number;
  readonly seconds: number;
  readonly now: number;
  /** Of two pods that are alike, the one that what is ordinary happens to. */
  readonly eventful: boolean;
}

function seriesOf(series: string, { value, later, seconds, now, eventful }: Course, { labels }: Target): { series: string; values: string } {
  const [, name, own = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series)!;
  const all = Object.entries({ ...labels, pod: eventful ? labels.pod : `${labels.pod}-quiet`, instance: eventful ? 'a' : 'b' }).map(([label, text]) => `${label}="${text}"`).join(',');
  const title = `${name}{${all}${own === '' ? '' : `,${own}`}}`;
  const perMinute = /_(total|bucket|count|sum)$/.test(name) ? (later - value) / seconds * 60 : 0;
  const start = MOMENTS.test(name) && value > 0 ? value - now + EPOCH : value;
  const values = Array.from({ length: MINUTES + 1 }, (_, minute) => {
    const ordinary = eventful && ORDINARY.find(each => each.series.test(title) && minute >= each.from && minute < each.to);
    if (ordinary) return ordinary.value;
    const steps = STEPS.filter(each => eventful && each.series.test(title) && minute >= each.at).reduce((sum, { by }) => sum + by, 0);
    return start + perMinute * minute + steps;
  });
  return { series: title, values: values.map(each => Number.isNaN(each) ? '_' : String(each)).join(' ') };
}

/** Series and their values, in the text format of Prometheus. */
function valuesOf(text: string): Map<string, number> {
  return new Map([...text.matchAll(/^(\w+(?:\{[^}]*\})?) (\S+)$/gm)].map(([, series, value]) => [series, Number(value)]));
}
