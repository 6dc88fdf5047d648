import { isAbsolute } from 'path';
import { invalidInput } from '../validation/invalid-input';
import { validateText } from '../validation/text';

/** A path from the output folder of the app, which may lead out of it. */
export function validateOutputFolder(field: string, folder: string): string {
  if (isAbsolute(validateText(field, folder)) || /\p{Cc}/u.test(folder) || folder.includes('\\') || folder.length > 255) {
    throw invalidInput(field, folder, 'is not a path relative to the output folder of the app', 'Write it like "tenants" or "../tenants", with slashes');
  }
  return folder;
}

/** A path of one part, as it is also one of a repository. */
export function validateFolder(field: string, folder: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/.test(validateText(field, folder))) {
    throw invalidInput(field, folder, 'is not the name of a folder', 'Use letters, digits, "-", "_" and "." not at the start');
  }
  return folder;
}
