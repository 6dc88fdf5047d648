/** A text in CEL, which escapes what JSON does. */
export function celText(text: string): string {
  return JSON.stringify(text);
}

/** A field that may be missing, in a list or a map. */
export function celOr(path: string, otherwise: string): string {
  const [object, ...fields] = path.split('.');
  return `${[object, ...fields.map(field => `?${field}`)].join('.')}.orValue(${otherwise})`;
}
