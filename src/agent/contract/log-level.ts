/** How much the agent of the image logs. */
export enum LogLevel {
  /** Everything. */
  TRACE = 'trace',
  /** What is of use while a fault is looked for. */
  DEBUG = 'debug',
  /** What changes. */
  INFO = 'info',
  /** What is wrong and may pass by itself. */
  WARN = 'warn',
  /** What fails. */
  ERROR = 'error',
  /** What ends the agent. */
  FATAL = 'fatal',
  /** Nothing. */
  SILENT = 'silent',
}

/** Unless the user says otherwise. */
export const DEFAULT_LOG_LEVEL = LogLevel.INFO;
