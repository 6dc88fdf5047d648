import { ACTIONS } from './actions';
import { TENANTS_FOLDER } from '../app';
import { fileOf, Language, Step } from '../languages/language';
import { Settings } from '../settings';

/** Tests every change; where manifests are committed, also that they are those of the code. */
export function workflow({ setup, test, command }: Language, { delivery }: Settings): string {
  const committed = `dist ${TENANTS_FOLDER}`;
  const steps: Step[] = [
    { uses: ACTIONS.checkout, with: { 'persist-credentials': 'false' } },
    ...setup,
    { run: test },
    { run: command },
    ...delivery.fromGit ? [{ run: `test -z "$(git status --porcelain -- ${committed})" # the manifests are committed` }] : [],
  ];
  return fileOf([
    'name: ci',
    'on:',
    '  push:',
    '    branches: [main]',
    '  pull_request: {}',
    'permissions:',
    '  contents: read',
    'jobs:',
    '  test:',
    '    runs-on: ubuntu-24.04',
    '    steps:',
    ...steps.flatMap(({ uses, run, with: settings }) => [
      ...uses === undefined ? [] : [`      - uses: ${uses}`],
      ...run === undefined ? [] : [`      - run: ${run}`],
      ...settings === undefined ? [] : ['        with:', ...Object.entries(settings).map(([name, value]) => `          ${name}: ${/^[\d.]+$/.test(value) ? `"${value}"` : value}`)],
    ]),
  ]);
}

/** Updates once a week, and none that is younger than a week. */
export function dependabot({ ecosystem }: Language): string {
  return fileOf([
    'version: 2',
    'updates:',
    ...[ecosystem, 'github-actions'].flatMap(each => [
      `  - package-ecosystem: ${each}`,
      '    directory: /',
      '    schedule:',
      '      interval: weekly',
      '    cooldown:',
      '      default-days: 7',
      '    groups:',
      `      ${each}:`,
      '        patterns: ["*"]',
    ]),
  ]);
}
