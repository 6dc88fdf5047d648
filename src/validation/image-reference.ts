import { invalidInput } from './invalid-input';
import { validateText } from './text';

/*
 * The grammar of distribution/reference: [host[:port]/]path[:tag][@digest]. A name with upper-case letters, spaces or nothing after a
 * colon is taken by the API server and refused by the kubelet (InvalidImageName).
 */
const PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const HOST = '(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\\[[0-9a-fA-F:]+\\])(?::[0-9]+)?';
const NAME = `(?:${HOST}/)?${PART}(?:/${PART})*`;
const TAG = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

export const IMAGE = new RegExp(`^${NAME}(?::${TAG})?(?:@${DIGEST})?$`);
const REPOSITORY = new RegExp(`^${NAME}$`);
const HOST_OR_PATH = new RegExp(`^(?:${HOST}|${NAME})$`);
const ONLY_TAG = new RegExp(`^${TAG}$`);

/** Longer than registries take; the grammar is not tried on more. */
export const LONGEST_IMAGE = 512;

/** Checks an image, e.g. `registry.example.com/team/proxy:1.2.3` or with a digest. */
export function validateImageReference(field: string, value: string): string {
  return matching(field, value, IMAGE, 'is not an image', 'Give "registry.example.com/name:tag", or a digest "…@sha256:<64 digits>"');
}

/** Checks an image without a tag. */
export function validateImageRepository(field: string, value: string): string {
  return matching(field, value, REPOSITORY, 'is not an image without a tag', 'Give "registry.example.com/name"; the tag is a property of its own');
}

/** Checks where images are, e.g. `registry.example.com` or `registry.example.com:5000/mirror`. */
export function validateRegistry(field: string, value: string): string {
  return matching(field, value, HOST_OR_PATH, 'is not a registry', 'Give its host, with a port and a path where it has them, e.g. "registry.example.com:5000/mirror"');
}

/** Checks the tag of an image. */
export function validateImageTag(field: string, value: string): string {
  return matching(field, value, ONLY_TAG, 'is not a tag', 'Use up to 128 letters, digits, "_", "." and "-", starting with a letter, a digit or "_"');
}

function matching(field: string, value: string, grammar: RegExp, reason: string, remedy: string): string {
  validateText(field, value);
  if (value === '') {
    throw invalidInput(field, value, 'is empty', remedy);
  }
  if (value.length > LONGEST_IMAGE || !grammar.test(value)) {
    throw invalidInput(field, value, reason, remedy);
  }
  return value;
}
