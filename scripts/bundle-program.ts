import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { buildSync } from 'esbuild';

/*
 * Bundles the command of the package with the doctor of the image, so that the package needs no dependency for it, and
 * puts the licenses of what is in the bundle beside it.
 */
const ROOT = join(__dirname, '..');
const BIN = join(ROOT, 'lib', 'bin');
const COMMAND = 'cdk8s-hosted-control-plane';

const { metafile } = buildSync({
  absWorkingDir: ROOT,
  entryPoints: { [COMMAND]: 'program/src/main.ts' },
  outdir: BIN,
  bundle: true,
  platform: 'node',
  target: 'node20',
  banner: { js: '#!/usr/bin/env node' },
  metafile: true,
  logLevel: 'warning',
});

// npm makes a command executable; what runs it in the Python package does not.
chmodSync(join(BIN, `${COMMAND}.js`), 0o755);

const packages = new Set(Object.keys(metafile.inputs).flatMap(file => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
writeFileSync(join(BIN, 'LICENSES.txt'), [...packages].sort().map(licenseOf).join('\n'));

function licenseOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(ROOT, folder)).find(each => /^licen[cs]e/i.test(each));
  if (!file) {
    throw new Error(`${folder}: has no license file, and its code goes into the package. Look where its license is, and add it here.`);
  }
  return `${name} ${version}\n\n${readFileSync(join(ROOT, folder, file), 'utf8')}`;
}
