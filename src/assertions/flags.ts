/** The values of flags by their names, without dashes; the last one wins, and a flag without a value is `true`. */
export function flagValues(args: string[]): { [flag: string]: string } {
  return Object.fromEntries(args.flatMap(arg => {
    const match = /^--?([^=]+)(?:=([^]*))?$/.exec(arg);
    return match ? [[match[1], match[2] ?? 'true']] : [];
  }));
}
