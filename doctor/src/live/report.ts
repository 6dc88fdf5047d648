import { HOPS, HopResult, HopStatus, isHealthy } from './hop';
import { hostPort, Target } from './target';
import { Paint, Tone } from '../palette';
import { printable } from '../printable';

/** Changes when a field changes its meaning or goes; new fields do not change it. */
const JSON_VERSION = 1;
const TONES: Record<HopStatus, Tone> = { ok: 'good', warning: 'attention', failed: 'bad', unknown: 'attention', skipped: 'dim' };
const NAME_WIDTH = Math.max(...HOPS.map(hop => hop.length));
const STATUS_WIDTH = 'warning'.length;

export function hopLine({ hop, status, detail }: HopResult, paint: Paint): string {
  const text = printable(detail);
  return `  ${paint(TONES[status], status.padEnd(STATUS_WIDTH))}  ${hop.padEnd(NAME_WIDTH)}  ${status === 'skipped' ? paint('dim', text) : text}`;
}

/** What is wrong and what to do, after the lines of the hops. */
export function verdictText(results: HopResult[], paint: Paint): string {
  const faults = results.filter(({ remedy }) => remedy !== undefined);
  const summary = summaryOf(results);
  const lines = faults.map(({ hop, status, remedy }) => `  ${paint(TONES[status], hop)}: ${printable(remedy!)}`);
  return [paint(isHealthy(results) ? 'good' : 'bad', summary), ...lines].join('\n');
}

/** One object; `docs/doctor.md` describes it. */
export function liveJson(target: Target, results: HopResult[]): string {
  return JSON.stringify({
    version: JSON_VERSION,
    target: hostPort(target),
    healthy: isHealthy(results),
    summary: summaryOf(results),
    hops: results,
  }, (_, value) => typeof value === 'string' ? printable(value) : value, 2);
}

function summaryOf(results: HopResult[]): string {
  const names = (wanted: HopStatus) => results.filter(({ status }) => status === wanted).map(({ hop }) => hop);
  const [broken, unseen, doubtful] = [names('failed'), names('unknown'), names('warning')];
  if (broken.length > 0) return `Broken at ${broken.join(', ')}.`;
  if (unseen.length > 0) return `Works as far as it shows, but ${unseen.join(', ')} ${unseen.length === 1 ? 'is' : 'are'} unknown.`;
  return doubtful.length > 0 ? `Works; look at ${doubtful.join(', ')}.` : 'Healthy.';
}
