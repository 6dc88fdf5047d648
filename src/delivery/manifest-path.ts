import { posix } from 'path';
import { invalidInput } from '../validation/invalid-input';
import { validateLine } from '../validation/text';

/** Where cdk8s writes manifests unless told otherwise. */
const DEFAULT_PATH = 'dist';

/**
 * Path of a folder of manifests in what they are committed to, without `./` before it.
 *
 * @param path         the user's, relative to the root of the repository; else where `outputFolder` is beside cdk8s' own
 * @param outputFolder of all tenants
 * @param folder       of the tenant
 */
export function manifestPath(path?: string, outputFolder: string = '', folder: string = ''): string {
  return posix.join(requirePath(path ?? posix.join(DEFAULT_PATH, outputFolder)), folder);
}

function requirePath(path: string): string {
  validateLine('path', path);
  const normal = posix.normalize(path);
  if (path === '' || posix.isAbsolute(path) || normal.split('/')[0] === '..' || path.includes('\\')) {
    throw invalidInput('path', path, 'is not a path inside of a repository', 'Give it relative to the root of the repository, e.g. "dist", or "." for the root');
  }
  return normal;
}
