import { execFileSync } from 'child_process';
import { readFileSync, rmSync, writeFileSync } from 'fs';
import { join } from 'path';
import { built } from './packages';

/** The Go module of the library, and those of cdk8s. */
const GO_MODULES: [name: string, folder: () => string][] = [
  ['github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane-go/cdk8shostedcontrolplane', () => built('GO_MODULE')],
  ['github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2', () => join(built('GO_PEERS'), 'cdk8s')],
  ['github.com/cdk8s-team/cdk8s-plus-go/cdk8splus30/v2', () => join(built('GO_PEERS'), 'cdk8splus30')],
];

/** Runs a program in a project, and gives what it wrote; what it wrote is in the error where it fails. */
export function run(project: string, program: string, ...args: string[]): string {
  // A test that runs the programs of users has nothing of this one.
  const { NODE_OPTIONS: _, PYTHONPATH: __, JEST_WORKER_ID: ___, ...env } = process.env;
  try {
    return execFileSync(program, args, { cwd: project, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}: ${stdout}\n${stderr}`);
  }
}

/** How a project of `init` comes to what it needs, with the library that was built here, and what is run in it. */
export interface ProjectKind {
  readonly install: (project: string) => void;
  readonly test: (project: string) => string;
  readonly synth: (project: string) => void;
  /** What a test says that all passed by. */
  readonly passed: RegExp;
}

const maven = (project: string, ...goals: string[]) => run(project, 'mvn', '--batch-mode', '--no-transfer-progress', `-Dmaven.repo.local=${built('JAVA_REPOSITORY')}`, ...goals);
const python = (project: string) => join(project, '.venv', 'bin', 'python');

export const KINDS: { readonly [language: string]: ProjectKind } = {
  typescript: {
    install: project => {
      run(project, 'npm', 'pkg', 'set', `dependencies.cdk8s-hosted-control-plane=file:${built('NPM_PACKAGE')}`);
      run(project, 'npm', 'install', '--no-audit', '--no-fund');
    },
    test: project => run(project, 'npm', 'test'),
    synth: project => run(project, 'npx', 'tsx', 'main.ts'),
    passed: /^# pass 3$/m,
  },
  python: {
    install: project => {
      const requirements = join(project, 'requirements.txt');
      writeFileSync(requirements, readFileSync(requirements, 'utf8').replace(/^cdk8s-hosted-control-plane==.*$/m, built('WHEEL')));
      run(project, 'python3', '-m', 'venv', '.venv');
      run(project, python(project), '-m', 'pip', 'install', '--quiet', '--requirement', 'requirements.txt');
    },
    // Its report is on the standard error, and it fails where a test does.
    test: project => run(project, 'sh', '-c', '.venv/bin/python -m unittest control_planes_test 2>&1'),
    synth: project => run(project, python(project), 'main.py'),
    passed: /^Ran 3 tests in [^]*^OK$/m,
  },
  go: {
    install: project => {
      run(project, 'go', 'mod', 'edit', ...GO_MODULES.map(([name, folder]) => `-replace=${name}=${folder()}`));
      run(project, 'go', 'mod', 'tidy');
    },
    test: project => run(project, 'go', 'test', '-v', './...'),
    synth: project => run(project, 'go', 'run', '.'),
    passed: /(^--- PASS: [^]*){3}^ok/m,
  },
  java: {
    install: () => undefined,
    test: project => maven(project, 'test'),
    synth: project => maven(project, 'compile', 'exec:java'),
    passed: /Tests run: 3, Failures: 0, Errors: 0, Skipped: 0/,
  },
};

/** A project that `init` of the package writes. */
export function initProject(tools: string, project: string, ...flags: string[]): void {
  rmSync(project, { recursive: true, force: true });
  run(tools, join(tools, 'node_modules', '.bin', 'cdk8s-hosted-control-plane'), 'init', project, '--yes', '--domain', 'example.com', ...flags);
}
