import * as z from 'zod/mini';
import { parseConfiguration } from '../../../../cli/configuration';
import { duration, SocketAddress, socketAddress } from '../../../../cli/values';
import { SERVE } from '../../../../src/agent/contract/commands';
import { AgentCommand, environmentVariable, Flags } from '../../../../src/agent/contract/flags';
import { LogLevel } from '../../../../src/agent/contract/log-level';

/** The schema of each setting of a command: none less, and none that no flag gives. */
export type SettingSchemas<Command> = Command extends AgentCommand<infer F extends Flags> ? Record<keyof F, z.ZodMiniType> : never;

/**
 * Checks the values that the command line and the environment gave.
 *
 * @throws ConfigurationError with every fault in one line: flag, value, reason and remedy
 */
export function parseSettings<Output>(schema: z.ZodMiniType<Output>, values: Record<string, unknown>): Output {
  return parseConfiguration(schema, values, setting => `or set ${environmentVariable(setting)}`);
}

/** Where the health server listens. */
export const healthAddresses = z._default(z.array(socketAddress), (): SocketAddress[] =>
  SERVE.flags.healthAddress.default.map(text => z.parse(socketAddress, text)));

/** A switch, or the text of its variable. */
export const onOff = z.pipe(
  z.unknown().check(z.refine(value => [true, false, 'true', 'false'].includes(value as never), 'is neither true nor false')),
  z.transform(value => value === true || value === 'true'),
);

const levels = Object.values(LogLevel);

export const logLevel = z.enum(LogLevel, `is not a log level, choose ${levels.slice(0, -1).join(', ')} or ${levels[levels.length - 1]}`);

/** A Unix socket's path has at most 107 bytes, and HAProxy appends a suffix while it binds. */
const LONGEST_RUN_DIR = 70;

export const path = (what: string) =>
  z.string(`name ${what}`).check(z.regex(/^\//, `is not an absolute path, name ${what} with a path that starts with /`));

/** The name of an object. */
export const objectName = (what: string) =>
  z.string(`give ${what}`).check(z.regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, `is not the name of an object, give ${what}`));

/** How the API of the management cluster is asked. */
export const managementSettings = {
  apiServer: z.string().check(z.refine(isApiServer, 'is not https://host:port, write it like https://kubernetes.default.svc')),
  caFile: path('the file with the CA of the management cluster'),
  tokenFile: path('the service account token'),
};

function isApiServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname } = new URL(text);
  return protocol === 'https:' && pathname === '/';
}

/** What both proxies are told. */
export const haproxySettings = {
  haproxyConfig: path('the configuration file of HAProxy'),
  haproxyBinary: path('the HAProxy program'),
  runDir: path('a writable folder').check(z.maxLength(LONGEST_RUN_DIR, `is too long for the sockets in it, choose at most ${LONGEST_RUN_DIR} characters`)),
  healthAddress: healthAddresses,
  propagationDelay: duration,
  gracePeriod: duration,
  logLevel,
};
