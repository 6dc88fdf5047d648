import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

/**
 * A folder for all files of the demonstration, keys among them, which goes with the process however that ends. Programs and libraries that make
 * temporary folders of their own make them in there.
 */
export function openWorkplace(): string {
  // A Unix socket's path has about a hundred bytes.
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
