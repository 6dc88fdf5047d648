import { devDependencies, peerDependencies, version } from '../../package.json';

/** Versions that new projects begin with. Those of cdk8s are the ones that this release was tested with. */
export const VERSIONS = {
  library: version,
  cdk8s: devDependencies.cdk8s,
  plus: devDependencies['cdk8s-plus-30'],
  constructs: devDependencies.constructs,
  floors: peerDependencies,
  typescript: '~6.0.0',
  tsx: '^4.20.0',
  typesNode: '^20.16.0',
  jsiiGo: 'v1.140.0',
  go: '1.25',
  junit: '5.13.4',
  compilerPlugin: '3.14.0',
  surefirePlugin: '3.5.3',
  execPlugin: '3.5.1',
} as const;
