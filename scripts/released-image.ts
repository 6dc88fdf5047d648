import { execFileSync } from 'child_process';
import { readdirSync } from 'fs';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { DEFAULT_TCP_PROXY_IMAGE } from '../src/agent/image';

/*
 * Says what keeps the library from being published with the image that it names, and fails then: the image is not released, is not
 * named by its digest, or its sources have changed since. The release workflow runs it in a checkout with all tags.
 */

/** What the image is made of, by files of the repository and by npm packages; the programs from Debian are whatever their series has. */
interface ImageSources {
  readonly files: string[];
  readonly packages: string[];
}

const AGENT = 'images/tcp-proxy';
const LOCK_FILE = 'package-lock.json';

/** Reads what the agent is bundled of, and adds what the image is built with. */
export function imageSources(root: string): ImageSources {
  const { metafile } = buildSync({
    absWorkingDir: root, entryPoints: [`${AGENT}/src/main.ts`], bundle: true, platform: 'node', write: false, metafile: true, logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  const packages = inputs.flatMap(input => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  return {
    files: [
      ...inputs.filter(input => !input.includes('node_modules/')),
      `${AGENT}/Dockerfile`, `${AGENT}/Dockerfile.dockerignore`, `${AGENT}/tcp-proxy`, 'scripts/image-base.sh',
      ...readdirSync(join(root, 'scripts', 'lib')).map(name => `scripts/lib/${name}`),
    ].sort(),
    packages: [...new Set(packages)].sort(),
  };
}

/** @returns what is wrong, each with its remedy; nothing for an image that is as it was released */
export function releaseProblems(root: string, image: string, sources: ImageSources): string[] {
  const [, version, digest] = /:([^:@/]+)(@sha256:[0-9a-f]{64})?$/.exec(image) ?? [];
  const tag = `tcp-proxy/v${version}`;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 });
  if (git('tag', '--list', tag).trim() === '') return [`${image} is not released. Push the tag ${tag}, and wait for the workflow "image".`];
  const changed = git('diff', '--name-only', tag, '--', ...sources.files).split('\n').filter(Boolean);
  const versionsIn = (text: string) => {
    const { packages } = JSON.parse(text) as { packages: { [path: string]: { version?: string } } };
    return sources.packages.map(path => packages[path]?.version);
  };
  const [before, now] = [git('show', `${tag}:${LOCK_FILE}`), git('show', `HEAD:${LOCK_FILE}`)].map(versionsIn);
  const moved = sources.packages.flatMap((path, i) => before[i] === now[i] ? [] : [`${path} (${before[i] ?? 'not there'} → ${now[i] ?? 'not there'})`]);
  return [
    ...changed.length + moved.length > 0
      ? [`the image has changed since ${tag}: ${[...changed, ...moved].join(', ')}. Give it a new version in src/agent/image.ts and release that.`] : [],
    ...digest === undefined ? [`${image} names no digest. Add the one that the workflow "image" wrote into its summary to src/agent/image.ts.`] : [],
  ];
}

if (require.main === module) {
  const root = join(__dirname, '..');
  const problems = releaseProblems(root, DEFAULT_TCP_PROXY_IMAGE, imageSources(root));
  problems.forEach(problem => console.error(problem));
  process.exitCode = problems.length > 0 ? 1 : 0;
}
