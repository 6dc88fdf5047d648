import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'fs';
import { join } from 'path';

const VERSION = /^(next|\d+(\.\d+)*)$/;

/** Puts the site of a version into its folder of the whole site, and tells the versions that are there. */
export function publish(built: string, site: string, version: string): void {
  if (!VERSION.test(version)) {
    throw new Error(`version: "${version}" is not a version. Give one such as "0.3", or "next"`);
  }
  mkdirSync(site, { recursive: true });
  rmSync(join(site, version), { recursive: true, force: true });
  cpSync(built, join(site, version), { recursive: true });
  const versions = versionsIn(site);
  writeFileSync(join(site, 'versions.json'), `${JSON.stringify(versions)}\n`);
  const newest = versions[0];
  writeFileSync(join(site, 'index.html'), `<!doctype html><meta charset="utf-8"><title>cdk8s-hosted-control-plane</title><meta http-equiv="refresh" content="0; url=./${newest}/"><a href="./${newest}/">${newest}</a>\n`);
}

/** The versions with a folder in the site, newest first, what is not released last. */
export function versionsIn(site: string): string[] {
  const isSite = (name: string) => VERSION.test(name) && statSync(join(site, name)).isDirectory() && existsSync(join(site, name, 'index.html'));
  return readdirSync(site).filter(isSite).sort(newestFirst);
}

function newestFirst(a: string, b: string): number {
  if (a === 'next' || b === 'next') {
    return a === b ? 0 : a === 'next' ? 1 : -1;
  }
  const [of, and] = [a, b].map(version => version.split('.').map(Number));
  const i = of.findIndex((number, at) => number !== and[at]);
  return i < 0 ? and.length - of.length : (and[i] ?? -1) - of[i];
}
