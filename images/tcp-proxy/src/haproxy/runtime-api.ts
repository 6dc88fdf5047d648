import { sendCommand } from './command-socket';

/** HAProxy answered a runtime command with something else than success. */
export class RuntimeApiError extends Error {
  public readonly name = 'RuntimeApiError';

  constructor(command: string, answer: string) {
    super(`HAProxy refused "${command}": ${answer.trim().replace(/\s*\n\s*/g, ' ')}`);
  }
}

/**
 * Speaks to the worker process, on its `stats socket` (management guide of HAProxy, chapter "Unix Socket commands").
 * Changes take effect without a reload and live until HAProxy restarts.
 */
export class RuntimeApi {
  constructor(private readonly socketPath: string) {}

  /**
   * Sends one command and returns its answer.
   *
   * @param payload lines for commands that take a document; blank lines are dropped because one would end the document
   */
  public async execute(command: string, payload?: string): Promise<string> {
    if (payload === undefined) return sendCommand(this.socketPath, command);
    const lines = payload.split('\n').filter(line => line.trim() !== '');
    return sendCommand(this.socketPath, `${command} <<\n${lines.join('\n')}\n`);
  }

  /** SHA-1 fingerprint, upper case without colons, of the leaf that HAProxy serves under this name. */
  public async certificateFingerprint(name: string): Promise<string> {
    const command = `show ssl cert ${name}`;
    const answer = await this.execute(command);
    const [fingerprint] = fingerprints(answer);
    if (!fingerprint) throw new RuntimeApiError(command, answer);
    return fingerprint;
  }

  /** SHA-1 fingerprints of the certificates that HAProxy trusts under this name; empty when no server uses the file. */
  public async caFingerprints(name: string): Promise<string[]> {
    return fingerprints(await this.execute(`show ssl ca-file ${name}`));
  }

  /** Replaces a certificate and its key. On failure the pair before stays in service. */
  public async replaceCertificate(name: string, pem: string): Promise<void> {
    try {
      await this.expect(`set ssl cert ${name}`, /^Transaction (created|updated) for /m, pem);
      await this.expect(`commit ssl cert ${name}`, /^Success!$/m);
    } catch (error) {
      // A transaction that stays open would block the next one; without one, this answers with an error that means nothing here.
      await this.execute(`abort ssl cert ${name}`).catch(() => undefined);
      throw error;
    }
  }

  private async expect(command: string, success: RegExp, payload?: string): Promise<void> {
    const answer = await this.execute(command, payload);
    if (!success.test(answer)) throw new RuntimeApiError(command, answer);
  }
}

function fingerprints(answer: string): string[] {
  return [...answer.matchAll(/^SHA1 FingerPrint: ([0-9A-F]{40})$/gm)].map(match => match[1]);
}
