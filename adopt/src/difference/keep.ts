import { Json } from '../code/expression';
import { isRecord, own, Path, same } from '../json';

/** An operation of a JSON patch that puts a value of the object as it runs into what is synthesized. */
export interface Kept {
  readonly path: Path;
  readonly value: Json;
  /** Whether something else stands there otherwise. */
  readonly instead: boolean;
}

/** An object that is synthesized: as it is written, and with what an API server fills in. */
export interface Synthesized {
  readonly written: Json | undefined;
  readonly filled: Json | undefined;
}

/**
 * What has to be put into a synthesized object so that it says what another one says. A patch can put nothing where there is no
 * object around it, so what is filled in alone is written as a whole.
 *
 * @param isOurs whether the library decides on what stands at a path
 */
export function keptOf(running: Json, { written, filled }: Synthesized, isOurs: (path: Path) => boolean, path: Path = []): Kept[] {
  if (isOurs(path) || isBanned(path) || same(running, filled)) return [];
  if (isRecord(running) && isRecord(written) && isRecord(filled)) {
    return Object.keys(running).flatMap(key =>
      keptOf(own(running, key)!, { written: own(written, key), filled: own(filled, key) }, isOurs, [...path, key]));
  }
  const value = withoutOurs(running, isOurs, path);
  const isNothing = isRecord(value) && Object.keys(value).length === 0 && !same(value, running);
  return isNothing ? [] : [{ path, value, instead: written !== undefined }];
}

/** What cdk8s lets no patch change, wherever it is. */
function isBanned(path: Path): boolean {
  return path.some((part, i) => part === '__proto__' || (part === 'prototype' && path[i - 1] === 'constructor'));
}

function withoutOurs(value: Json, isOurs: (path: Path) => boolean, path: Path): Json {
  if (!isRecord(value)) return value;
  const left = Object.entries(value).filter(([key]) => !isOurs([...path, key]));
  return Object.fromEntries(left.map(([key, each]) => [key, withoutOurs(each, isOurs, [...path, key])]));
}

/** A path as JSON patches write it (RFC 6901). */
export function pointer(path: Path): string {
  return path.map(part => `/${String(part).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}
