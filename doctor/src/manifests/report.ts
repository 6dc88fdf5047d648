import { CheckResult, Finding } from './check';
import { Paint } from '../palette';
import { printable } from '../printable';

/** Changes when a field changes its meaning or goes; new fields do not change it. */
const JSON_VERSION = 1;

export function findingsText({ files, objects, controlPlanes, findings }: CheckResult, paint: Paint): string {
  return [...findings.map(finding => findingText(finding, paint)), summary({ files, objects, controlPlanes, findings }, paint)].join('\n');
}

/** One object; `docs/doctor.md` describes it. */
export function findingsJson({ files, objects, controlPlanes, findings }: CheckResult): string {
  return JSON.stringify({ version: JSON_VERSION, healthy: !broken(findings), files, objects, controlPlanes, findings },
    (_, value) => typeof value === 'string' ? printable(value) : value, 2);
}

function findingText({ code, severity, file, line, object, field, message, remedy }: Finding, paint: Paint): string {
  const where = object ? ` ${object.kind} ${object.namespace}/${object.name}` : '';
  const tone = severity === 'error' ? 'bad' : 'attention';
  return [
    `${paint(tone, code)} ${printable(`${file}:${line}${where}`)}`,
    `  ${printable(`${field === undefined ? '' : `${field}: `}${message}`)}`,
    `  ${paint('strong', 'remedy')}: ${printable(remedy)}`,
  ].join('\n');
}

function summary({ files, objects, controlPlanes, findings }: CheckResult, paint: Paint): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const counts = `${count(objects, 'object')} in ${count(files, 'file')}, ${count(controlPlanes, 'control plane')}`;
  if (findings.length === 0) return paint('good', `No disagreement: ${counts}.`);
  return paint(errors > 0 ? 'bad' : 'attention', `${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}: ${counts}.`);
}

function broken(findings: Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
