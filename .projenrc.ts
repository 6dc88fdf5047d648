import { cdk, cdk8s, DependencyType, github, javascript, JsonFile, JsonPatch, release, typescript } from 'projen';

const NODE_MIN = '20.16.0';
// jsii 6.0 compiles with TypeScript 6.0; the two minors must match.
const TYPESCRIPT = '~6.0.0';
const NAME = 'cdk8s-hosted-control-plane';
// What users have beside the library: what it is built with, and the lowest versions that it passes with.
const PEERS = {
  'cdk8s': { built: '2.70.106', lowest: '2.68.12' },
  'cdk8s-plus-30': { built: '2.4.10', lowest: '2.2.5' },
  'constructs': { built: '10.8.1', lowest: '10.4.0' },
};
// The command of the package: `program` has a table of the commands, each in a room of its own, and `cli` is how they read flags.
const PROGRAMS = ['cli', 'adopt', 'doctor', 'init', 'program'];

// Actions by commit, as a tag can be moved; the release that each is of stands beside it. Workflows that are written by hand name the same.
const ACTIONS = {
  'actions/checkout': '3d3c42e5aac5ba805825da76410c181273ba90b1', // v7.0.1
  'actions/setup-dotnet': 'a98b56852c35b8e3190ac28c8c2271da59106c68', // v6.0.0
  'actions/setup-go': 'b7ad1dad31e06c5925ef5d2fc7ad053ef454303e', // v7.0.0
  'actions/setup-java': 'b6effb05e454b25005698d916606bdc6ffcbf961', // v5.7.0
  'actions/setup-node': '820762786026740c76f36085b0efc47a31fe5020', // v7.0.0
  'actions/setup-python': '5fda3b95a4ea91299a34e894583c3862153e4b97', // v7.0.0
  'sigstore/cosign-installer': '6f9f17788090df1f26f669e9d70d6ae9567deba6', // v4.1.2
};
const pinned = (action: keyof typeof ACTIONS) => `${action}@${ACTIONS[action]}`;

const project = new cdk8s.ConstructLibraryCdk8s({
  name: NAME,
  description: 'cdk8s constructs that expose hosted Kubernetes control planes (Steward, Kamaji, …) behind one shared address',
  author: 'cdk8s-hosted-control-plane maintainers',
  authorAddress: 'maintainers@users.noreply.github.com',
  repositoryUrl: 'https://github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane.git',
  license: 'Apache-2.0',
  stability: 'stable',
  defaultReleaseBranch: 'main',
  keywords: ['cdk8s', 'kubernetes', 'hosted-control-plane', 'kamaji', 'steward', 'ingress', 'sni', 'konnectivity'],

  projenrcTs: true,
  packageManager: javascript.NodePackageManager.NPM,
  minNodeVersion: NODE_MIN,
  jsiiVersion: '~6.0.0',
  typescriptVersion: TYPESCRIPT,
  validateTsconfig: cdk.ValidateTsconfig.STRICT,

  cdk8sVersion: PEERS.cdk8s.built,
  constructsVersion: PEERS.constructs.built,
  peerDependencyOptions: { pinnedDevDependency: false },
  peerDeps: [`cdk8s-plus-30@^${PEERS['cdk8s-plus-30'].built}`],
  devDeps: [
    // The schema of SARIF, for the doctor's output.
    '@microsoft/jest-sarif@1.0.0-beta.0',
    '@peculiar/x509@^2',
    '@types/js-yaml@^4',
    '@types/node@^20',
    'ajv@^8',
    'ajv-formats@^3',
    'cdk8s-cli@^2.207.60',
    'commander@^14',
    'esbuild@^0.28.2',
    'fast-check@^4',
    'js-yaml@^4',
    'reflect-metadata@^0.2',
    'tsx@^4',
    'yaml@^2',
    'zod@^4',
  ],

  // Trusted publishing: the registries know the release workflow, so there is no token to leak. Maven's does not offer it.
  npmTrustedPublishing: true,
  publishToPypi: { distName: NAME, module: 'cdk8s_hosted_control_plane', trustedPublishing: true, attestations: true },
  publishToGo: { moduleName: `github.com/cdk8s-hosted-control-plane/${NAME}-go`, packageName: 'cdk8shostedcontrolplane' },
  publishToMaven: {
    javaPackage: 'io.github.cdk8shostedcontrolplane',
    mavenGroupId: 'io.github.cdk8s-hosted-control-plane',
    mavenArtifactId: NAME,
    mavenServerId: 'central-ossrh',
  },
  publishToNuget: { dotNetNamespace: 'Cdk8sHostedControlPlane', packageId: 'Cdk8sHostedControlPlane', trustedPublishing: true },

  // .github/workflows/image.yml, integration.yml and .github/dependabot.yml are written by hand.
  githubOptions: { mergify: false },
  pullRequestTemplate: false,
  buildWorkflowOptions: { mutableBuild: false },
  // Publishing without a token needs a newer npm than that of the oldest supported Node.js.
  workflowNodeVersion: '24',
  release: true,
  releaseTrigger: release.ReleaseTrigger.workflowDispatch(),
  majorVersion: 0,
  bumpPackage: 'commit-and-tag-version@13.2.1',
  // Dependabot has the same task, and no need of a token.
  depsUpgrade: false,
  clobber: false,
  sampleCode: false,

  // Snapshots and lint never rewrite files during a test run.
  jestOptions: {
    updateSnapshot: javascript.UpdateSnapshot.NEVER,
    // A run that has ended says so, also where a test that failed has left a server behind.
    extraCliOptions: ['--forceExit'],
    jestConfig: {
      collectCoverage: false,
      // Tests wait for programs most of the time; jest would leave one CPU to itself.
      maxWorkers: '100%',
      // A deadline is for what hangs: a machine that does other things may take long.
      testTimeout: 60_000,
      globalSetup: '<rootDir>/test/support/temporary-files/before.ts',
      globalTeardown: '<rootDir>/test/support/temporary-files/after.ts',
      moduleNameMapper: { [`^${NAME}$`]: '<rootDir>/src' },
      modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/examples/.*/dist/', '<rootDir>/images/.*/dist/', '<rootDir>/website/'],
      testPathIgnorePatterns: ['/node_modules/', '/test/e2e/', '/test/upstream/', '/test/languages/'],
    },
  },
  eslintOptions: {
    dirs: ['src', ...PROGRAMS, 'charts', 'demo', 'examples', 'bench', 'scripts', 'images/tcp-proxy/src'],
    devdirs: ['test', ...PROGRAMS, 'charts', 'demo', 'examples', 'bench', 'scripts', 'images/tcp-proxy/test'],
    commandOptions: { fix: false, extraArgs: ['--max-warnings=0'] },
  },
});

Object.keys(ACTIONS).forEach(action => project.github!.actions.set(action, pinned(action as keyof typeof ACTIONS)));

project.tasks.addEnvironment('JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION', '20');
project.tasks.addEnvironment('CDK8S_CHECK_UPGRADE', 'false');

// ---- generated L1 classes: our compact schemas in imports/, the TypeScript in src/imports/
project.addTask('import', {
  description: 'Regenerate src/imports/ from the schemas in imports/',
  exec: 'scripts/import-crds.sh',
});
project.eslint?.addIgnorePattern('src/imports/');
project.eslint?.addOverride({ files: ['src/validation/ip-network.ts', 'scripts/lazy-exports.ts'], rules: { 'no-bitwise': 'off' } });
// Static factories load their class on first use: it extends the class that holds the factory.
project.eslint?.addOverride({
  files: [
    'src/platforms/control-plane-platform.ts', 'src/controllers/ingress-controller.ts', 'src/dns/dns-output.ts',
    'src/ingress-controller-install/helm-delivery.ts',
  ],
  rules: { '@typescript-eslint/no-require-imports': 'off' },
});
// Examples import the library by its name, as users do; only their tsconfig.json knows where it is.
project.eslint?.addOverride({ files: ['examples/**/*.ts'], rules: { 'import/no-unresolved': ['error', { ignore: [`^${NAME}$`] }] } });
// Imports only go down: a room of src/ knows those before it in this list, and no other.
const LAYERS = [
  'agent/contract', 'imports', 'validation', 'objects', 'haproxy', 'model', 'synthesis', 'versions', 'manifests', 'findings', 'report-page', 'assertions', 'monitoring', 'agent', 'host-policy', 'controllers', 'shared-gateway',
  'platforms', 'control-plane', 'delivery', 'certificates', 'tcp-proxy', 'kubernetes-service', 'service-host-injection', 'clusters', 'dns', 'ingress-controller-install',
  'report',
];
const only = (target: string, from: string, except: string[]) => ({ target, from, except: except.map(folder => `./${folder}`) });
project.eslint?.addRules({
  'import/no-restricted-paths': ['error', {
    zones: [
      ...LAYERS.map((layer, i) => only(`./src/${layer}`, './src', LAYERS.slice(0, i + 1))),
      // What library and agent agree on stands on nothing: the agent has no cdk8s.
      only('./src/agent/contract', '.', ['src/agent/contract']),
      // Programs stand on the library's rooms that know no cdk8s; the agent has the doctor among its commands.
      only('./src', '.', ['src', 'node_modules']),
      only('./charts', '.', ['charts', 'src', 'node_modules']),
      // What the programs have in common: flags, what they read of files and clusters, what they print.
      only('./cli', '.', ['cli', 'src/manifests', 'src/validation/unsafe-characters.ts', 'node_modules']),
      only('./doctor/src', '.', ['doctor', 'cli', 'src/manifests', 'src/findings', 'src/versions', 'src/report-page', 'node_modules']),
      // Hosts and names are checked as the library does.
      only('./init/src', '.', ['init', 'cli', 'src/validation', 'src/model/hostname-pattern.ts', 'package.json', 'node_modules']),
      // It is a user of the library, of which it takes the types and, when it runs, the compiled package.
      only('./adopt/src', '.', ['adopt', 'cli', 'src/manifests', 'src/index.ts', 'node_modules']),
      only('./program/src', '.', [...PROGRAMS, 'node_modules']),
      only('./images/tcp-proxy/src', '.', ['images', 'cli', 'doctor', 'src/agent/contract', 'node_modules']),
    ],
  }],
});
project.eslint?.addOverride({
  files: ['src/**'],
  rules: {
    '@typescript-eslint/no-restricted-imports': ['error', {
      paths: [{ name: 'cdk8s-plus-30', allowTypeImports: true, message: 'It takes as long to load as all of this library: emit plain objects (src/objects).' }],
    }],
  },
});
project.gitattributes.addAttributes('/src/imports/**', 'linguist-generated');
// What upstream definitions say, as data: scripts/record-crds.ts writes it.
project.gitattributes.addAttributes('/test/support/crds/*.json', 'linguist-generated', '-diff');

// ---- tests: ts-jest only transpiles, so type errors need a compiler run of their own
project.testTask.prependExec('tsc --noEmit -p test/tsconfig.json');
new JsonFile(project, 'examples/tsconfig.json', {
  marker: false,
  obj: {
    extends: '../tsconfig.json',
    compilerOptions: { noEmit: true, rootDir: '..', types: ['node', 'jest'], paths: { [NAME]: ['../src/index.ts'] } },
    include: ['**/*.ts', '../bench/**/*.ts', '../scripts/**/*.ts', '../demo/**/*.ts', '../charts/**/*.ts'],
  },
});
for (const folder of ['bench', 'charts', 'demo', 'scripts']) {
  new JsonFile(project, `${folder}/tsconfig.json`, { marker: false, obj: { extends: '../examples/tsconfig.json', include: ['**/*.ts'] } });
}
project.testTask.prependExec('tsc --noEmit -p examples/tsconfig.json');

// ---- the command of the package: it is bundled, and so is the doctor, which the image has too
for (const folder of PROGRAMS) {
  new JsonFile(project, `${folder}/tsconfig.json`, {
    marker: false,
    obj: { extends: '../tsconfig.json', compilerOptions: { noEmit: true, rootDir: '..', types: ['node', 'jest'] }, include: ['**/*.ts'] },
  });
  project.testTask.prependExec(`tsc --noEmit -p ${folder}/tsconfig.json`);
}

// ---- documentation and packages: other languages as sources, which needs no compiler of theirs
project.tasks.tryFind('docgen')!.reset('jsii-docgen --submodule root --output API.md');
project.tasks.tryFind('docgen')!.exec('tsx scripts/api-map.ts');
project.packageTask.reset();
project.packageTask.spawn(project.tasks.tryFind('package:js')!);
project.addTask('package:code', {
  description: 'Generate the sources of all language bindings (no compilers, offline)',
  exec: 'jsii-pacmak -v --code-only --outdir dist/code',
});

project.addTask('test:languages', {
  description: 'Build the npm, Python and Go packages of the compiled package, and test an app with each',
  exec: 'scripts/languages.sh',
  receiveArgs: true,
});

project.addTask('test:lowest-peers', {
  description: 'Test the npm package of the compiled package with the lowest versions of what it goes with',
  exec: 'scripts/lowest-peers.sh',
  receiveArgs: true,
});

project.addTask('example', {
  description: 'Synthesize every example and print routes, SANs and DNS records',
  exec: 'tsx --tsconfig examples/tsconfig.json examples/run.ts',
});
project.addTask('charts', {
  description: 'Make the Helm charts of the constructs: dist/charts',
  exec: 'tsx --tsconfig examples/tsconfig.json charts/main.ts',
  receiveArgs: true,
});
project.addTask('bench:synth', {
  description: 'Measure synthesis against the same objects as plain ApiObjects',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/synth.ts',
});
project.addTask('bench:load', {
  description: 'Measure loading the compiled package against loading cdk8s-plus-30',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/load.ts',
});
project.addTask('bench:packages', {
  description: 'Measure sizes of the packages that test:languages built, and loading them in Node.js and Python beside those of cdk8s',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/packages.ts',
});
project.addTask('bench:sync', {
  description: 'Measure sync with many tenants, unchanged and unreachable ones',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/sync.ts',
});
project.addTask('demo', {
  description: 'Run an ingress, two tenants, tcp-proxies and the gateway on loopback and show requests on every path',
  receiveArgs: true,
  steps: [
    { exec: 'npx projen bundle 2> /dev/null', cwd: 'images/tcp-proxy' },
    { exec: 'tsx --tsconfig examples/tsconfig.json demo/main.ts', receiveArgs: true },
  ],
});
project.addTask('bench:idle', {
  description: 'Measure a gateway pod with 20,000 tenants of which nothing changes',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/idle.ts',
});
project.addTask('bench:fleet', {
  description: 'Measure the edge of a fleet of ten management clusters with 100,000 tenants',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/fleet.ts',
});
project.addTask('bench:gateway', {
  description: 'Measure the shared gateway with many tenants against one backend per tenant and reloads',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/gateway.ts',
});

// ---- Helm charts of the constructs, with the version of the library, beside the image
const { JobPermission } = github.workflows;
const publishing = { if: '${{ !inputs.dry_run }}' };
project.release!.addJobs({
  release_charts: {
    name: 'Publish Helm charts',
    needs: ['release'],
    if: "needs.release.outputs.tag_exists != 'true' && needs.release.outputs.latest_commit == github.sha",
    runsOn: ['ubuntu-24.04'],
    permissions: { contents: JobPermission.READ, packages: JobPermission.WRITE, idToken: JobPermission.WRITE },
    steps: [
      { uses: pinned('actions/checkout') },
      { uses: pinned('actions/setup-node'), with: { 'node-version': '24', 'package-manager-cache': false } },
      { run: 'npm ci' },
      {
        name: 'Download build artifacts',
        uses: 'actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c',
        with: { 'artifact-ids': '${{ needs.release.outputs.artifact_id }}', 'path': 'dist' },
      },
      {
        name: 'Make and package the charts',
        run: [
          'npm run charts -- --version "$(cat dist/version.txt)"',
          'for chart in dist/charts/*/; do',
          '  helm package "$chart" --destination dist/charts',
          'done',
        ].join('\n'),
      },
      { uses: pinned('sigstore/cosign-installer'), ...publishing },
      {
        name: 'Publish and sign',
        ...publishing,
        env: { TOKEN: '${{ github.token }}' },
        run: [
          "image=$(sed -n \"s/^export const DEFAULT_TCP_PROXY_IMAGE = '\\(.*\\)';\\$/\\1/p\" src/agent/image.ts)",
          'helm registry login "${image%%/*}" --username "$GITHUB_ACTOR" --password-stdin <<<"$TOKEN"',
          'cosign login "${image%%/*}" --username "$GITHUB_ACTOR" --password-stdin <<<"$TOKEN"',
          'for chart in dist/charts/*.tgz; do',
          '  pushed=$(helm push "$chart" "oci://${image%/*}/charts" 2>&1)',
          '  reference=$(sed -n "s/^Pushed: //p" <<<"$pushed")',
          '  cosign sign --yes "${reference%:*}@$(sed -n "s/^Digest: //p" <<<"$pushed")"',
          'done',
        ].join('\n'),
      },
    ],
  },
});

// The release workflow runs it through npx: it wants a newer Node.js than the library does, and nothing else uses it.
project.deps.removeDependency('commit-and-tag-version');
// The default registry needs no name.
project.tryFindObjectFile('.github/workflows/release.yml')!.patch(JsonPatch.remove('/jobs/release_npm/steps/9/env/NPM_REGISTRY'));
// Users pull the image that the library names: it has to be the one that was tested.
project.tryFindObjectFile('.github/workflows/release.yml')!.patch(JsonPatch.add('/jobs/release/steps/4', {
  name: 'Hold against the released image', run: 'npx tsx --tsconfig examples/tsconfig.json scripts/released-image.ts',
}));

// ---- the compiled package: modules load when they are first used, whatever src/index.ts exports
project.compileTask.exec('tsx scripts/lazy-exports.ts');
project.compileTask.exec('tsx scripts/strip-source-maps.ts');
project.compileTask.exec('tsx scripts/bundle-program.ts');
// Registries draw no Mermaid and follow no relative link: packages have a README.md of their own.
project.compileTask.exec('tsx scripts/packed-readme.ts assembly');
project.package.setScript('prepack', 'tsx scripts/packed-readme.ts prepack');
project.package.setScript('postpack', 'tsx scripts/packed-readme.ts postpack');
project.npmignore?.exclude('/.unpacked-readme');
project.gitignore.exclude('/.unpacked-readme');
project.addBins({ [NAME]: `lib/bin/${NAME}.js` });

// ---- the tcp-proxy image: a workspace; its tests run in the root's jest
const image = new typescript.TypeScriptProject({
  parent: project,
  outdir: 'images/tcp-proxy',
  name: 'tcp-proxy',
  description: 'The agent of the tcp-proxy image: supervises HAProxy and owns default/kubernetes in a tenant cluster',
  defaultReleaseBranch: 'main',
  packageManager: javascript.NodePackageManager.NPM,
  minNodeVersion: NODE_MIN,
  typescriptVersion: TYPESCRIPT,
  deps: ['@peculiar/x509@^2', 'commander@^14', 'js-yaml@^4', 'pino@^10', 'prom-client@^15', 'reflect-metadata@^0.2', 'zod@^4'],
  devDeps: ['@types/jest@^30', '@types/js-yaml@^4', '@types/node@^20', 'fast-check@^4'],
  entrypoint: '',
  release: false,
  depsUpgrade: false,
  buildWorkflow: false,
  github: false,
  package: false,
  sampleCode: false,
  licensed: false,
  npmignoreEnabled: false,
  jest: false,
  // The X.509 library's types want those of a browser.
  // The agent takes what it shares with the library and the doctor from their folders.
  tsconfig: { compilerOptions: { skipLibCheck: true, rootDir: '../..' } },
  tsconfigDev: { compilerOptions: { types: ['node', 'jest'], rootDir: '../../..', skipLibCheck: true } },
  eslint: false,
  bundlerOptions: { esbuildVersion: '^0.28.2', assetsDir: 'dist', runBundleTask: javascript.RunBundleTask.POST_COMPILE },
});
image.package.addField('private', true);
image.bundler.addBundle('src/main.ts', { platform: 'node', target: 'node20', sourcemap: true });
// The root installs for all workspaces: an install inside one removes the root's own dependencies.
image.package.installTask.reset();
image.package.installCiTask.reset();

project.package.addField('workspaces', ['images/*']);
project.npmignore?.exclude(...PROGRAMS.map(folder => `/${folder}/`), '/charts/', '/images/', '/imports/', '/examples/', '/bench/', '/demo/', '/scripts/', '/docs/', '/website/', '/.ci/');
project.gitignore.exclude('/examples/*/dist/', '/images/*/dist/');
project.compileTask.exec('npx projen compile', { cwd: 'images/tcp-proxy' });
project.postCompileTask.exec('npx projen post-compile', { cwd: 'images/tcp-proxy' });
project.jest?.addTestMatch(`<rootDir>/@(${PROGRAMS.join('|')}|images/*)/test/**/*.test.ts`);
project.testTask.prependExec('tsc --noEmit -p images/tcp-proxy/test/tsconfig.json');
project.addTask('image', {
  description: 'Build the root file system and the OCI archive of the image without a container engine',
  steps: [{ exec: 'npx projen bundle', cwd: 'images/tcp-proxy' }, { exec: 'scripts/image.sh' }],
});
project.addTask('test:e2e', {
  description: 'Test the image against a real kube-apiserver, which is built on first use',
  exec: 'scripts/e2e.sh',
  receiveArgs: true,
});
project.addTask('test:upstream', {
  description: 'Test what is delivered with real controllers, which are built on first use',
  exec: 'scripts/upstream.sh',
  receiveArgs: true,
});
project.addTask('upstream:record', {
  description: 'Record what operators answer to the conformance matrix, from sources that variables name, e.g. KAMAJI_SOURCE',
  exec: 'RECORD_OPERATORS=true scripts/upstream.sh test/upstream/operators --testNamePattern="every case of the"',
  receiveArgs: true,
});
project.addTask('upstream:versions', {
  description: 'Run the tests with several versions of Kubernetes and HAProxy, and write the runs down',
  exec: 'tsx --tsconfig examples/tsconfig.json scripts/upstream-versions.ts',
  receiveArgs: true,
});
project.addTask('upstream:charts', {
  description: 'Compare what is written into charts of ingress controllers with what their templates read',
  exec: 'tsx --tsconfig examples/tsconfig.json scripts/upstream-charts.ts',
  receiveArgs: true,
});
project.addTask('upstream:results', {
  description: 'Write docs/compatibility.md from the runs that were written down',
  exec: 'tsx --tsconfig examples/tsconfig.json scripts/compatibility-page.ts',
  receiveArgs: true,
});
project.addTask('website', {
  description: 'Make the website of this version of docs/, API.md and examples/ into website/dist: --version 0.3, --site <folder>, --root /<path>/',
  steps: [{ exec: 'scripts/website.sh' }, { exec: 'tsx --tsconfig examples/tsconfig.json scripts/website/build.ts', receiveArgs: true }],
});
project.addTask('bench:proxy', {
  description: 'Measure the tcp-proxy against bare HAProxy and a Go relay',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/proxy.ts',
});
project.addTask('bench:ways', {
  description: 'Measure the ways that leave TLS closed against those that open it',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/proxy.ts --ways',
});
project.addTask('bench:routes', {
  description: 'Measure how long a tenant of the shared gateway waits for its route after an apply',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/routes.ts',
});
project.addTask('simulate', {
  description: 'Simulate years of incidents of an installation, each decided by its seed: --seeds 1000, or SIMULATION_SEED=…',
  exec: 'tsx --tsconfig examples/tsconfig.json images/tcp-proxy/test/simulation/simulate.ts',
  receiveArgs: true,
});
project.addTask('fuzz', {
  description: 'Try texts that are not as they should be on everything that reads what others wrote: --inputs 1000000',
  exec: 'tsx --tsconfig examples/tsconfig.json images/tcp-proxy/test/fuzz/fuzz.ts',
  receiveArgs: true,
});
project.addTask('bench:long-run', {
  description: 'Measure memory, descriptors and processes over 200,000 short connections through gateway and tcp-proxy',
  exec: 'tsx --tsconfig examples/tsconfig.json bench/long-run.ts',
  receiveArgs: true,
});

// ---- the lowest versions that a user may have: test/languages/lowest-peers.test.ts runs with them, all else with those above
for (const [name, { built, lowest }] of Object.entries(PEERS)) {
  project.deps.removeDependency(name, DependencyType.PEER);
  project.deps.addDependency(`${name}@^${lowest}`, DependencyType.PEER);
  project.deps.addDependency(`${name}@${built}`, DependencyType.BUILD);
}

project.synth();
