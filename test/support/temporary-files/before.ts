import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

/**
 * Gives a run of jest a folder of temporary files of its own: `Testing.app()` of cdk8s makes one for each app and removes none. The
 * name is short, as sockets have paths of 107 characters.
 */
export default function before(): void {
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'hcp-'));
}
