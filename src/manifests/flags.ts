/** Values of a flag among arguments: `--name=value` and `--name value`. */
export function flagValues(args: string[], name: string): string[] {
  return args.flatMap((arg, i) => {
    if (arg.startsWith(`${name}=`)) return [arg.slice(name.length + 1)];
    return arg === name && args[i + 1] !== undefined ? [args[i + 1]] : [];
  });
}

/** Every flag by its name, without dashes; the last one wins, and a flag without a value is `true`. */
export function flagsOf(args: string[]): { [flag: string]: string } {
  return Object.fromEntries(args.flatMap((arg, i) => {
    const [, name, value] = /^--?([^=]+)(?:=([^]*))?$/.exec(arg) ?? [];
    if (name === undefined) return [];
    const next = args[i + 1];
    return [[name, value ?? (next === undefined || next.startsWith('-') ? 'true' : next)]];
  }));
}
