import { execFile } from 'child_process';
import { mkdtempSync, writeFileSync } from 'fs';
import { get } from 'http';
import { tmpdir } from 'os';
import { join } from 'path';
import { Process } from './process';
import { eventually } from '../../data-path/support/eventually';
import { freePorts } from '../../support/ports';

/** A pod as a PodMonitor has it scraped. */
export interface Target {
  readonly address: string;
  readonly labels: { readonly namespace: string; readonly job: string; readonly pod: string };
}

/** A rule of a PrometheusRule. */
export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly [name: string]: string };
  readonly annotations: { readonly [name: string]: string };
}

/** A line of a graph. */
export interface Line {
  readonly metric: { readonly [label: string]: string };
  /** Pairs of seconds since 1970 and a number as text. */
  readonly values: readonly (readonly [number, string])[];
}

/** The rules of every PrometheusRule, and a target for each of its pods. */
export function rulesOf(objects: any[]): Rule[] {
  return objects.filter(({ kind }) => kind === 'PrometheusRule').flatMap(({ spec }) => spec.groups.flatMap(({ rules }: any) => rules));
}

/** A target as the PodMonitor of this name makes it. */
export function targetOf(objects: any[], job: string, address: string): Target {
  const { metadata } = objects.find(({ kind, metadata: { name } }) => kind === 'PodMonitor' && name === job);
  return { address, labels: { namespace: metadata.namespace, job, pod: `${job}-0` } };
}

const START_DEADLINE_MS = 30_000;
const SECONDS: { [unit: string]: number } = { s: 1, m: 60, h: 3600 };

/** The rules where an hour takes this many times less: both what has to hold for a while and what is looked back at. */
export function accelerated(rules: readonly Rule[], times: number): Rule[] {
  const faster = (duration: string) => `${Math.round(Number(duration.slice(0, -1)) * SECONDS[duration.slice(-1)] * 1000 / times)}ms`;
  return rules.map(rule => ({ ...rule, for: faster(rule.for), expr: rule.expr.replace(/\[(\w+)\]/g, (_, window) => `[${faster(window)}]`) }));
}

/**
 * Runs promtool and gives what it prints; rejects with what it finds wrong.
 *
 * @param programs the folder of Prometheus' programs
 */
export function promtool(programs: string, args: string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(join(programs, 'promtool'), args, { maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      if (error) {
        reject(new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`));
      } else {
        resolve(stdout);
      }
    });
    child.stdin!.on('error', () => undefined).end(input);
  });
}

/** A target of a running Prometheus. */
export interface FoundTarget {
  readonly labels: { readonly [label: string]: string };
  readonly scrapeUrl: string;
}

/** A real Prometheus. */
export class Prometheus {
  /**
   * One that scrapes once a second, and evaluates rules twice.
   *
   * @param programs the folder of Prometheus' programs
   */
  public static async start(programs: string, targets: readonly Target[], rules: readonly Rule[]): Promise<Prometheus> {
    const file = join(mkdtempSync(join(tmpdir(), 'rules-')), 'rules.yml');
    // YAML has JSON in it.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'rules', interval: '500ms', rules }] }));
    const prometheus = await Prometheus.of(programs, {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '500ms' },
      rule_files: [file],
      scrape_configs: [{
        job_name: 'pods',
        static_configs: targets.map(({ address, labels }) => ({ targets: [address], labels })),
      }],
    });
    await eventually(async () => (await prometheus.now('count(up)')).length > 0, START_DEADLINE_MS);
    return prometheus;
  }

  /** One with a configuration of its own. */
  public static async of(programs: string, configuration: object): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
    const prometheus = new Prometheus((await freePorts(1))[0]);
    const process_ = new Process(join(programs, 'prometheus'), [
      `--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${prometheus.port}`,
      '--query.lookback-delta=5s',
    ]);
    await eventually(async () => {
      if (!process_.alive) throw new Error(process_.output);
      await prometheus.targets();
      return true;
    }, START_DEADLINE_MS);
    return prometheus;
  }

  private constructor(private readonly port: number) {}

  /** Names and jobs of the alerts that fire, as `job name`. */
  public async firing(): Promise<string[]> {
    const { alerts } = await this.ask('/api/v1/alerts');
    return [...new Set<string>(alerts.filter(({ state }: any) => state === 'firing').map(({ labels }: any) => `${labels.job} ${labels.alertname}`))].sort();
  }

  /** The values of an expression as of now. */
  public async now(expr: string): Promise<string[]> {
    return (await this.ask(`/api/v1/query?query=${encodeURIComponent(expr)}`)).result.map(({ value }: any) => value[1]);
  }

  /** What it has found to scrape. */
  public async targets(): Promise<FoundTarget[]> {
    return (await this.ask('/api/v1/targets?state=active')).activeTargets;
  }

  public async range(expr: string, from: number, to: number, step: number): Promise<Line[]> {
    return (await this.ask(`/api/v1/query_range?query=${encodeURIComponent(expr)}&start=${from}&end=${to}&step=${step}`)).result;
  }

  private ask(path: string): Promise<any> {
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: this.port, path, agent: false }, response => {
        let body = '';
        response.setEncoding('utf8').on('data', text => body += text).on('end', () => {
          if (response.statusCode === 200) {
            resolve(JSON.parse(body).data);
          } else {
            reject(new Error(`Prometheus answers ${response.statusCode}: ${body}`));
          }
        });
      }).on('error', reject);
    });
  }
}
