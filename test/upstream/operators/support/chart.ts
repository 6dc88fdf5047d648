import { execFileSync } from 'child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { dump, load, loadAll } from 'js-yaml';

/** What the chart of an operator installs, by Helm itself, without the charts that it depends on. */
export function renderChart(folder: string, name: string, namespace: string): any[] {
  const chart = mkdtempSync(join(tmpdir(), 'chart-'));
  cpSync(folder, chart, { recursive: true });
  const { dependencies: _, ...description } = load(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as any;
  writeFileSync(join(chart, 'Chart.yaml'), dump(description));
  ['Chart.lock', 'charts'].forEach(of => rmSync(join(chart, of), { recursive: true, force: true }));
  try {
    const text = execFileSync(process.env.HELM!, ['template', name, chart, '--namespace', namespace, '--include-crds', '--kube-version', '1.32.13'],
      { encoding: 'utf8', maxBuffer: 2 ** 26 });
    return loadAll(text).filter(Boolean);
  } finally {
    rmSync(chart, { recursive: true });
  }
}

/** All objects in the files, YAML. */
export function readObjects(files: string[]): any[] {
  return files.flatMap(file => loadAll(readFileSync(file, 'utf8'))).filter(Boolean);
}
