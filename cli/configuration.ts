import * as z from 'zod/mini';

/** A setting that cannot be used. The program prints the message as one line and exits with code 2. */
export class ConfigurationError extends Error {
  public readonly name = 'ConfigurationError';
}

/**
 * Checks the values that the command line gave, and the environment where the program reads it.
 *
 * @param schema keys are the names of the flags in camel case
 * @param otherwise how else a missing flag can be given; by default in no other way
 * @throws ConfigurationError with every fault in one line: flag, value, reason and remedy
 */
export function parseConfiguration<Output>(
  schema: z.ZodMiniType<Output>, values: Record<string, unknown>, otherwise?: (setting: string) => string,
): Output {
  const result = z.safeParse(schema, values);
  if (result.success) return result.data;
  const faults = result.error.issues.map(issue => {
    const key = String(issue.path[0]);
    const flag = `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
    const value = issue.path.reduce<unknown>((object, part) => (object as Record<PropertyKey, unknown> | undefined)?.[part], values);
    return value === undefined
      ? `${flag} is missing: ${issue.message}${otherwise ? ` (${otherwise(key)})` : ''}`
      : `${flag} ${JSON.stringify(value)}: ${issue.message}`;
  });
  throw new ConfigurationError(faults.join('; '));
}
