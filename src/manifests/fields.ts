/** A value of an object and the path to it. */
export interface Field<Value> {
  readonly value: Value;
  readonly path: string;
}

/** Follows a path such as `spec.rules.0.host`; undefined where it ends early. Nothing of a foreign file is trusted to have a shape. */
export function pick(object: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>(
    (value, key) => typeof value === 'object' && value !== null && Object.prototype.hasOwnProperty.call(value, key) ? (value as Record<string, unknown>)[key] : undefined,
    object,
  );
}

export function pickText(object: unknown, path: string): string | undefined {
  const value = pick(object, path);
  return typeof value === 'string' ? value : undefined;
}

export function pickNumber(object: unknown, path: string): number | undefined {
  const value = pick(object, path);
  return typeof value === 'number' ? value : undefined;
}

export function pickList(object: unknown, path: string): unknown[] {
  const value = pick(object, path);
  return Array.isArray(value) ? value : [];
}

export function pickTexts(object: unknown, path: string): string[] {
  return pickList(object, path).filter((item): item is string => typeof item === 'string');
}

export function pickRecord(object: unknown, path: string): Record<string, unknown> {
  const value = pick(object, path);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : {};
}
