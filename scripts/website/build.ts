import { execFileSync } from 'child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { dirname, join, resolve } from 'path';
import { apiPages } from './api';
import { exampleNames, gallery } from './gallery';
import { homePage } from './home';
import { pageOf, Translator } from './page';
import { publish } from './publish';
import { pathOf, SIDEBAR } from './sidebar';
import { translate } from './translate';

/*
 * npm run website -- [--version 0.3] [--site <folder>] [--root /cdk8s-hosted-control-plane/]
 *
 * Makes the website of one version: pages of docs/, API.md and examples/ into website/pages, VitePress' site of them into a folder of the site that has the name of the
 * version, beside the versions that are there already.
 */
const ROOT = join(__dirname, '..', '..');
const WEBSITE = join(ROOT, 'website');
const PAGES = join(WEBSITE, 'pages');

export interface BuildOptions {
  /** As it is shown and as its folder is called, e.g. `0.3`; `next` is what is not released. */
  readonly version: string;
  /** Folder of the whole site, with a folder for each version. */
  readonly site: string;
  /** Path of the site at its host, with a `/` at both ends. */
  readonly root: string;
}

/** Writes the pages, without building the site. */
export async function writePages(translator: Translator): Promise<void> {
  rmSync(PAGES, { recursive: true, force: true });
  const documents = SIDEBAR.flatMap(({ pages }) => pages).map(({ file }) => [pathOf(file), pageOf(file, translator)] as const);
  const { pages, pictures } = await gallery(exampleNames(), translator);
  for (const [path, text] of [...documents, ...apiPages(), ...pages, ['index', homePage(translator)] as const]) {
    write(join(PAGES, `${path}.md`), text);
  }
  const images = join(PAGES, 'public', 'images');
  mkdirSync(images, { recursive: true });
  readdirSync(join(ROOT, 'docs', 'images')).forEach(name => copyFileSync(join(ROOT, 'docs', 'images', name), join(images, name)));
  pictures.forEach((svg, name) => writeFileSync(join(images, name), svg));
}

/** Makes the site of one version and puts it beside the others. */
export async function build({ version, site, root }: BuildOptions): Promise<void> {
  if (!existsSync(join(ROOT, '.jsii'))) {
    throw new Error('npm run website: the package is not compiled, which the other languages are made of: run "npx projen compile" first');
  }
  await writePages(translate);
  execFileSync(process.execPath, [join(WEBSITE, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', WEBSITE], {
    stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, SITE_BASE: `${root}${version}/`, SITE_VERSION: version },
  });
  publish(join(WEBSITE, '.vitepress', 'dist'), site, version);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function option(name: string, otherwise: string): string {
  const i = process.argv.indexOf(`--${name}`);
  return i < 0 ? otherwise : process.argv[i + 1];
}

if (require.main === module) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  // Only a release has a version in package.json.
  const shown = option('version', version === '0.0.0' ? 'next' : version.replace(/\.\d+$/, ''));
  build({ version: shown, site: resolve(option('site', join(WEBSITE, 'dist'))), root: option('root', '/') })
    .catch(error => { console.error(error); process.exitCode = 1; });
}
