import { existsSync, readFileSync, renameSync, writeFileSync } from 'fs';
import { join } from 'path';
import { addressOf, withLinks } from './website/links';
import { withPictures } from './website/page';

/*
 * README.md as the packages have it, for npm, PyPI, NuGet and pkg.go.dev: links and pictures of the release's tag instead of relative ones, pictures instead of Mermaid.
 *
 * npm runs `prepack` and `postpack` around making its tarball; `assembly` puts it into .jsii, of which the packages of the other languages are made.
 */
const ROOT = join(__dirname, '..');
const README = join(ROOT, 'README.md');
const KEPT = join(ROOT, '.unpacked-readme');
const ASSEMBLY = join(ROOT, '.jsii');

/** @param tag whose files the links lead to, e.g. `v0.3.1` */
export function packedReadme(markdown: string, tag: string): string {
  return withLinks('README.md', withPictures('README.md', markdown), link => link.file === undefined ? undefined : addressOf(link, tag));
}

/** A version in package.json is of a release, whose tag is made once it is published. */
function revision(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return version === '0.0.0' ? 'main' : `v${version}`;
}

function main(step: string): void {
  switch (step) {
    case 'prepack':
      // A run that was ended before `postpack` has left it.
      if (!existsSync(KEPT)) renameSync(README, KEPT);
      writeFileSync(README, packedReadme(readFileSync(KEPT, 'utf8'), revision()));
      break;
    case 'postpack':
      renameSync(KEPT, README);
      break;
    case 'assembly': {
      const assembly = JSON.parse(readFileSync(ASSEMBLY, 'utf8'));
      assembly.readme.markdown = packedReadme(assembly.readme.markdown, revision());
      // Which is nobody's check, and was that of another content.
      assembly.fingerprint = '**********';
      writeFileSync(ASSEMBLY, JSON.stringify(assembly, undefined, 2));
      break;
    }
    default: throw new Error(`packed-readme: "${step}" is none of prepack, postpack and assembly`);
  }
}

if (require.main === module) {
  main(process.argv[2]);
}
