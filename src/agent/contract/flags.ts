/** A flag of the agent. */
export interface Flag {
  /** What stands for its value in the help, e.g. `file`; without it the flag is a switch. */
  readonly value?: string;
  /** For the help. */
  readonly description: string;
  /** May be given several times. */
  readonly list?: true;
  /** What holds where the flag is not given: a text, or several for a list. */
  readonly default?: string | readonly string[];
}

/** Flags by the names of their settings: `runDir` is `--run-dir`. */
export interface Flags {
  readonly [setting: string]: Flag;
}

/** A command of the agent. */
export interface AgentCommand<F extends Flags = Flags> {
  readonly name: string;
  readonly description: string;
  readonly flags: F;
}

/** Values of flags: texts and numbers, lists of them, and whether a switch is on. Undefined leaves a flag out. */
export type FlagValues<F extends Flags> = { readonly [S in keyof F]?: FlagValue<F[S]> };

type FlagValue<F extends Flag> =
  F extends { readonly list: true } ? readonly string[] : F extends { readonly value: string } ? string | number : boolean;

/** A command, with its flags known to the compiler. */
export function agentCommand<const F extends Flags>(name: string, description: string, flags: F): AgentCommand<F> {
  return { name, description, flags };
}

/** `--run-dir` for `runDir`. */
export function flagOf(setting: string): string {
  return `--${words(setting).join('-')}`;
}

/** The environment variable that stands for a flag: `TCP_PROXY_RUN_DIR` for `runDir`. */
export function environmentVariable(setting: string): string {
  return ['tcp', 'proxy', ...words(setting)].join('_').toUpperCase();
}

/** A duration of whole seconds as flags have it. */
export function inSeconds(seconds: number): string {
  return `${seconds}s`;
}

/** The arguments that start a command, in the order of the values. */
export function agentArgs<F extends Flags>({ name, flags }: AgentCommand<F>, values: FlagValues<F>): string[] {
  return [name, ...Object.entries(values).flatMap(([setting, value]) => {
    const { list, value: takes } = flags[setting];
    if (list) {
      return ((value ?? []) as readonly string[]).map(one => `${flagOf(setting)}=${one}`);
    }
    if (takes === undefined) {
      return value ? [flagOf(setting)] : [];
    }
    return value === undefined ? [] : [`${flagOf(setting)}=${value}`];
  })];
}

function words(setting: string): string[] {
  return setting.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`).split(' ');
}
