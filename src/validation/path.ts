import { invalidInput } from './invalid-input';
import { validateLine } from './text';

/** Checks an absolute path on a machine with Linux. Kubernetes refuses one with `..` in most places, and nobody means it. */
export function validateAbsolutePath(field: string, path: string): string {
  validateLine(field, path);
  if (!path.startsWith('/')) {
    throw invalidInput(field, path, 'is not an absolute path', 'Give it from the root, e.g. "/var/lib/tenant-01"');
  }
  if (path.split('/').includes('..')) {
    throw invalidInput(field, path, 'has ".." in it', 'Give the path that it leads to');
  }
  return path;
}
