/** `coreDns` as Python has it: `core_dns`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** `coreDns` as Go has it: `CoreDns`. */
export function pascalCase(name: string): string {
  return `${name[0].toUpperCase()}${name.slice(1)}`;
}
