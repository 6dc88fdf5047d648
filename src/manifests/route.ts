import { Field } from './fields';
import { Host } from './host';
import { Source } from './source';

/** One host of one object that routes TLS connections. */
export interface Route {
  readonly source: Source;
  /** Undefined where the object takes every host, or a pattern that is not compared here (`opaque`). */
  readonly host?: Host;
  /** Path of the host, also where there is none. */
  readonly path: string;
  /** The host is a regular expression or the like. */
  readonly opaque?: boolean;
  /** Routes with the same entry compete for a host, e.g. `Traefik entry point websecure`. */
  readonly entry: string;
  /** Where it leads. */
  readonly backend?: Backend;
  readonly passthrough: Passthrough;
  /** The highest wins, where the controller has priorities. */
  readonly priority?: number;
  /** An operator makes it, from `source`. */
  readonly byOperator?: boolean;
}

export interface Backend {
  readonly namespace: string;
  readonly service: string;
  /** Number or name. */
  readonly port?: Field<number | string>;
}

/** Whether TLS stays closed. */
export interface Passthrough {
  /** `unknown`: the manifests do not tell. */
  readonly state: 'yes' | 'no' | 'unknown';
  /** What is missing, and what to write. */
  readonly reason?: string;
  readonly remedy?: string;
}

export const PASSES: Passthrough = { state: 'yes' };
