import { isIP } from 'net';
import { Field } from './fields';

/** A host as a manifest writes it. */
export interface Host extends Field<string> {
  /** Without port and trailing dot, in lower case. */
  readonly host: string;
  readonly port?: number;
}

export function hostOf(value: string, path: string): Host {
  const match = /^(.*?)(?::(\d{1,5}))?$/s.exec(value)!;
  const address = isIP(value) !== 0;
  return {
    value,
    path,
    host: (address ? value : match[1]).replace(/\.$/, '').toLowerCase(),
    port: address || match[2] === undefined ? undefined : Number(match[2]),
  };
}

/** Whether a host, exact or `*.parent`, takes the name. */
export function takes(pattern: string, name: string): boolean {
  if (pattern === '*' || pattern === name) return true;
  return pattern.startsWith('*.') && name.endsWith(pattern.slice(1)) && name.length > pattern.length - 1;
}
