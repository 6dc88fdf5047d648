import { existsSync } from 'fs';
import { mkdir, readFile, rename, writeFile } from 'fs/promises';
import { join } from 'path';
import { ConfigurationError } from '../../../../cli/configuration';
import { CA_FILE, CONFIG_FILE, TLS_FILES } from '../../../../src/agent/contract/paths';

export interface AcceptedFilesOptions {
  readonly runDir: string;
  /** The mounted files. */
  readonly haproxyConfig: string;
  readonly tlsDir: string;
  readonly caFile: string;
}

/**
 * What HAProxy reads whenever it starts or reloads: copies of the mounted files that the agent has accepted. So no restart,
 * whoever causes it, finds a wrong pair or a broken bundle. They lie in the run folder, which is memory of this pod alone.
 */
export class AcceptedFiles {
  /** The configuration of HAProxy, with the paths of the copies. */
  public readonly config: string;
  /** The tenant CA. */
  public readonly ca: string;
  private readonly certificate: string;
  private readonly key: string;

  constructor(private readonly options: AcceptedFilesOptions) {
    const file = (name: string) => join(options.runDir, 'accepted', name);
    this.config = file(CONFIG_FILE);
    this.ca = file(CA_FILE);
    this.certificate = file(TLS_FILES.certificate);
    this.key = file(TLS_FILES.key);
  }

  /**
   * Writes the configuration. Another one takes another pod, so this is once.
   *
   * @throws ConfigurationError when there is none
   */
  public async prepare(): Promise<void> {
    const { runDir, haproxyConfig, tlsDir, caFile } = this.options;
    const folder = join(runDir, 'accepted');
    if (!existsSync(folder)) await mkdir(folder, { mode: 0o700 });
    const copies = new Map([[join(tlsDir, TLS_FILES.certificate), this.certificate], [join(tlsDir, TLS_FILES.key), this.key], [caFile, this.ca]]);
    const text = await readFile(haproxyConfig, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new ConfigurationError(`--haproxy-config ${JSON.stringify(haproxyConfig)}: cannot be read (${error.code}), mount the configuration there`);
    });
    const mounted = [...copies.keys()].map(path => path.replace(/[^\w/-]/g, '\\$&')).join('|');
    await write(this.config, text.replace(new RegExp(mounted, 'g'), path => copies.get(path)!));
  }

  /** @throws Error of the file system; a HAProxy that starts between the two files does not, and is started again */
  public async writePair(certificate: string, key: string): Promise<void> {
    await write(this.certificate, certificate);
    await write(this.key, key);
  }

  /** @throws Error of the file system */
  public async writeAuthorities(pem: string): Promise<void> {
    await write(this.ca, pem);
  }
}

/** Whole or not at all. */
async function write(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
