import { execFileSync } from 'child_process';
import { createHash } from 'crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Process } from './process';
import { eventually } from '../../data-path/support/eventually';
import { freePorts } from '../../support/ports';

/** A chart of these tests' own. */
export interface TestChart {
  readonly name: string;
  readonly version: string;
  /** Its files, by path. */
  readonly files: { [path: string]: string };
}

/** What is answered to a request for a path. */
interface Answer {
  readonly type: string;
  readonly file: string;
}

/**
 * Answers what it is told, in a process of its own: `helm` is waited for by the test's process, which could not answer
 * meanwhile.
 */
const SERVER = `
  const { createServer } = require('http');
  const { readFileSync } = require('fs');
  const answers = JSON.parse(readFileSync(process.argv[1]));
  createServer((request, response) => {
    const answer = answers[request.url];
    if (!answer) {
      response.writeHead(404).end();
      return;
    }
    const body = readFileSync(answer.file);
    response.writeHead(200, { 'content-type': answer.type, 'content-length': body.length, 'docker-content-digest': answer.digest });
    response.end(request.method === 'HEAD' ? undefined : body);
  }).listen(Number(process.argv[2]), '127.0.0.1');
`;

/** A chart repository on 127.0.0.1, both as an index and as an OCI registry. */
export class ChartRepository {
  public static async start(chart: TestChart): Promise<ChartRepository> {
    const [port] = await freePorts(1);
    const repository = new ChartRepository(port);
    repository.publish(chart);
    new Process(process.execPath, ['--eval', SERVER, repository.file('answers.json'), String(port)]);
    await eventually(() => fetch(`${repository.index}/index.yaml`).then(({ ok }) => ok), 30_000);
    return repository;
  }

  private readonly folder = mkdtempSync(join(tmpdir(), 'charts-'));
  private readonly answers: { [path: string]: Answer & { digest: string } } = {};

  private constructor(private readonly port: number) {}

  /** URL of the index. */
  public get index(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** URL of a folder of the registry. */
  public get registry(): string {
    return `oci://127.0.0.1:${this.port}/charts`;
  }

  private publish({ name, version, files }: TestChart): void {
    for (const [path, content] of Object.entries({ ...files, 'Chart.yaml': JSON.stringify({ apiVersion: 'v2', name, version }) })) {
      mkdirSync(join(this.file(name), path, '..'), { recursive: true });
      writeFileSync(join(this.file(name), path), content);
    }
    helm('package', this.file(name), '--destination', this.folder);
    helm('repo', 'index', this.folder);
    const archive = this.file(`${name}-${version}.tgz`);
    this.answer('/index.yaml', 'application/yaml', this.file('index.yaml'));
    this.answer(`/${name}-${version}.tgz`, 'application/gzip', archive);
    this.publishToRegistry(name, version, archive);
  }

  /** OCI image specification: a manifest that names a configuration and one layer, the archive. */
  private publishToRegistry(name: string, version: string, archive: string): void {
    const prefix = `/v2/charts/${name}`;
    const blob = (mediaType: string, file: string) => {
      const digest = digestOf(file);
      this.answer(`${prefix}/blobs/${digest}`, 'application/octet-stream', file);
      return { mediaType, digest, size: readFileSync(file).length };
    };
    const manifestType = 'application/vnd.oci.image.manifest.v1+json';
    const manifest = this.write('manifest.json', {
      schemaVersion: 2,
      mediaType: manifestType,
      config: blob('application/vnd.cncf.helm.config.v1+json', this.write('config.json', { name, version, apiVersion: 'v2' })),
      layers: [blob('application/vnd.cncf.helm.chart.content.v1.tar+gzip', archive)],
    });
    this.answer(`${prefix}/manifests/${version}`, manifestType, manifest);
    this.answer(`${prefix}/manifests/${digestOf(manifest)}`, manifestType, manifest);
    this.write('answers.json', this.answers);
  }

  private answer(path: string, type: string, file: string): void {
    this.answers[path] = { type, file, digest: digestOf(file) };
  }

  private write(name: string, content: object): string {
    writeFileSync(this.file(name), JSON.stringify(content));
    return this.file(name);
  }

  private file(name: string): string {
    return join(this.folder, name);
  }
}

function helm(...args: string[]): void {
  execFileSync(process.env.HELM!, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function digestOf(file: string): string {
  return `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
}
