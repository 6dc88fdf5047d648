import { Option } from 'commander';
import * as z from 'zod/mini';

/** A setting that cannot be used. The program prints the message as one line and exits with code 2. */
export class ConfigurationError extends Error {
  public readonly name = 'ConfigurationError';
}

/** The environment variable that stands for a flag: `--api-server` is `TCP_PROXY_API_SERVER`. */
export function environmentVariable(flag: string): string {
  return `TCP_PROXY_${flag.replace(/^--/, '').replace(/-/g, '_').toUpperCase()}`;
}

/** A flag with one value, which its environment variable can give as well. The flag wins. */
export function option(flags: string, description: string, defaultValue?: string): Option {
  const built = new Option(flags, description).default(defaultValue);
  return built.env(environmentVariable(built.long!));
}

/** A flag that may be repeated or hold several values separated by commas; the environment variable uses commas. */
export function listOption(flags: string, description: string): Option {
  const collect = (value: string, previous: string[] | undefined) => [
    ...(previous ?? []),
    ...value.split(',').map(part => part.trim()).filter(part => part !== ''),
  ];
  return option(flags, description).argParser(collect);
}

/**
 * Checks the values that the command line and the environment gave.
 *
 * @param schema keys are the names of the flags in camel case
 * @throws ConfigurationError with every fault in one line: flag, value, reason and remedy
 */
export function parseConfiguration<Output>(schema: z.ZodMiniType<Output>, values: Record<string, unknown>): Output {
  const result = z.safeParse(schema, values);
  if (result.success) return result.data;
  const faults = result.error.issues.map(issue => {
    const key = String(issue.path[0]);
    const flag = `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
    const value = issue.path.reduce<unknown>((object, part) => (object as Record<PropertyKey, unknown> | undefined)?.[part], values);
    return value === undefined
      ? `${flag} is missing: ${issue.message} (or set ${environmentVariable(flag)})`
      : `${flag} ${JSON.stringify(value)}: ${issue.message}`;
  });
  throw new ConfigurationError(faults.join('; '));
}
