import { existsSync, statSync } from 'fs';
import { dirname, join, normalize } from 'path';

const ROOT = join(__dirname, '..', '..');
const REPOSITORY = 'https://github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane';
const FILES = 'https://raw.githubusercontent.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane';

/** A link or a picture of a Markdown file. */
export interface Link {
  readonly picture: boolean;
  /** Of the project, from its root; undefined where the link leads out of it. */
  readonly file?: string;
  /** With the `#`, or empty. */
  readonly anchor: string;
  readonly target: string;
}

/** Markdown with other targets of its links and pictures; what is code stays. A target that stays is undefined. */
export function withLinks(file: string, markdown: string, targetOf: (link: Link) => string | undefined): string {
  return markdown.split(/(^ *```[\s\S]*?^ *```$)/m).map((part, i) => i % 2 === 1 ? part : part.replace(
    /(`[^`\n]+`)|(!?)\[((?:`[^`]*`|!\[[^\]]*\]\([^)]*\)|[^\]`])*)\]\(([^)\s]+)\)/g,
    (whole, code: string | undefined, mark: string, text: string, target: string) => {
      const other = code === undefined ? targetOf(linkOf(file, mark === '!', target)) : undefined;
      return other === undefined ? whole : `${mark}[${text}](${other})`;
    },
  )).join('');
}

function linkOf(file: string, picture: boolean, target: string): Link {
  if (/^[a-z]+:/.test(target)) {
    return { picture, anchor: '', target };
  }
  const [path, anchor] = target.split('#');
  return { picture, file: path === '' ? file : normalize(join(dirname(file), path)), anchor: anchor === undefined ? '' : `#${anchor}`, target };
}

/** Where a file of the project, or a picture, is seen from anywhere. */
export function addressOf({ picture, file, anchor }: Link, revision = 'main'): string {
  if (picture) {
    return `${FILES}/${revision}/${file}`;
  }
  const folder = existsSync(join(ROOT, file!)) && statSync(join(ROOT, file!)).isDirectory();
  return `${REPOSITORY}/${folder ? 'tree' : 'blob'}/${revision}/${file}${anchor}`;
}
