import { Command } from 'commander';
import { LogLevel } from '../../../../src';
import { ADDRESS, GATEWAY, REGISTER, SERVE, SYNC } from '../../../../src/agent/contract/commands';
import { AgentCommand, environmentVariable, Flags } from '../../../../src/agent/contract/flags';
import { REGISTRATION, TCP_PROXIES, USES } from '../../../../test/agent/uses';
import { addressCommand } from '../../src/address/command';
import { addressConfiguration } from '../../src/address/configuration';
import { gatewayCommand } from '../../src/gateway/command';
import { gatewayConfiguration } from '../../src/gateway/configuration';
import { registerCommand } from '../../src/register/command';
import { registerConfiguration } from '../../src/register/configuration';
import { serveCommand } from '../../src/serve/command';
import { serveConfiguration } from '../../src/serve/configuration';
import { syncCommand } from '../../src/sync/command';
import { syncConfiguration } from '../../src/sync/configuration';

type Settings = Record<string, unknown>;

/** The commands of the agent, with what they make of their flags. */
const COMMANDS: { readonly contract: AgentCommand; readonly parser: () => Command; readonly configure: (values: Settings) => object }[] = [
  { contract: SERVE, parser: serveCommand, configure: serveConfiguration },
  { contract: GATEWAY, parser: gatewayCommand, configure: gatewayConfiguration },
  { contract: ADDRESS, parser: addressCommand, configure: addressConfiguration },
  { contract: SYNC, parser: syncCommand, configure: syncConfiguration },
  { contract: REGISTER, parser: registerCommand, configure: registerConfiguration },
];

/** What the kubelet puts for a field of the pod. */
const FIELDS: { readonly [path: string]: string } = {
  'metadata.namespace': 'tenant-sync', 'metadata.name': 'pod-1', 'status.hostIPs': '192.0.2.1,2001:db8::1',
};

/** The configuration that the agent's own parser makes of a container that the library writes. */
function configurationOf({ args: [name, ...args], env = [] }: any): { name: string; configuration: any } {
  const { parser, configure } = COMMANDS.find(({ contract }) => contract.name === name)!;
  const variables = Object.fromEntries(env.map((variable: any) => [variable.name, variable.value ?? FIELDS[variable.valueFrom.fieldRef.fieldPath]]));
  return withEnvironment(variables, () => {
    const command = parser().action(() => undefined).exitOverride();
    command.parse(args, { from: 'user' });
    return { name, configuration: configure(command.opts()) };
  });
}

function withEnvironment<T>(variables: Record<string, string>, run: () => T): T {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return run();
  } finally {
    process.env = before;
  }
}

/** All containers of an app's pods. */
function containers(manifests: any[]): any[] {
  const pods = manifests.filter(({ spec }) => spec?.template).map(({ spec }) => spec.template.spec);
  return pods.flatMap(({ initContainers = [], containers: others }) => [...initContainers, ...others]);
}

const ALL = [...USES, ...TCP_PROXIES, REGISTRATION];

describe.each(ALL)('a pod of $name', ({ manifests }) => {
  test('has no flag and no variable that the agent does not take', () => {
    for (const container of containers(manifests({ logLevel: LogLevel.DEBUG }))) {
      const { name, configuration } = configurationOf(container);
      const { flags } = COMMANDS.find(({ contract }) => contract.name === name)!.contract;
      expect(configuration.logLevel).toBe(container.name === 'advertise-address' ? 'info' : 'debug');
      const variables = Object.keys(flags).map(environmentVariable);
      for (const { name: variable } of container.env ?? []) expect([...variables, 'NODE_OPTIONS']).toContain(variable);
    }
  });

  test('without settings of its user is what the agent is without flags', () => {
    for (const container of containers(manifests({}))) {
      const { name, configuration } = configurationOf(container);
      const { contract } = COMMANDS.find(({ contract: { name: other } }) => other === name)!;
      const bare = configurationOf({ args: [name, ...REQUIRED[name]], env: container.env }).configuration;
      const same = Object.keys(contract.flags).filter(setting => !(OF_THE_POD[name].includes(setting)));
      for (const setting of same) expect([setting, configuration[setting]]).toEqual([setting, bare[setting]]);
    }
  });
});

/** Flags without which a command does not start. */
const REQUIRED: { readonly [name: string]: string[] } = {
  serve: ['--api-server=https://tenant-01.k8s.example.com:443', '--namespace=a', '--pod-name=a', '--host-ips=192.0.2.1'],
  gateway: [],
  address: ['--advertise-address=192.0.2.1'],
  sync: ['--namespace=a', '--pod-name=a'],
  register: [],
};

/** What the library knows of a pod and the agent cannot. */
const OF_THE_POD: { readonly [name: string]: string[] } = {
  serve: ['endpoints', 'healthAddress', 'servingName', 'apiServer', 'advertiseAddress', 'namespace', 'podName', 'hostIps', 'podSelector', 'endpointPort', 'tokenFile'],
  gateway: ['routeConfigMap', 'namespace'],
  address: ['advertiseAddress', 'localNetwork'],
  sync: ['namespace', 'podName', 'visitsFile'],
  register: [],
};

test('the port that a proxy publishes is the one that the agent publishes without a flag', () => {
  const [container] = containers(USES[0].manifests({}));
  expect(configurationOf(container).configuration.endpointPort).toBe(configurationOf({ args: ['serve', ...REQUIRED.serve] }).configuration.endpointPort);
});

describe.each(COMMANDS)('$contract.name', ({ contract, parser }) => {
  const { flags }: { flags: Flags } = contract;

  test('takes each flag of the contract and no other, with its default and its variable', () => {
    const options = Object.fromEntries(parser().options.map(option => [option.attributeName(), option]));
    expect(Object.keys(options)).toEqual(Object.keys(flags));
    for (const [setting, flag] of Object.entries(flags)) {
      expect(options[setting].envVar).toBe(environmentVariable(setting));
      // A default of a list would be the first of what is given.
      expect(options[setting].defaultValue).toEqual(flag.list ? undefined : flag.value === undefined ? false : flag.default);
    }
  });
});

describe('a switch', () => {
  const closeRemoved = (variable: string | undefined, ...args: string[]) =>
    configurationOf({ args: ['gateway', ...args], env: variable === undefined ? [] : [{ name: 'TCP_PROXY_CLOSE_REMOVED', value: variable }] }).configuration.closeRemoved;

  test.each([[undefined, false], ['true', true], ['false', false]])('is as its variable says: %s', (variable, on) => expect(closeRemoved(variable)).toBe(on));

  test('that is given wins over its variable', () => expect(closeRemoved('false', '--close-removed')).toBe(true));

  test('cannot be anything else', () => {
    expect(() => closeRemoved('off')).toThrow('--close-removed "off": is neither true nor false');
  });
});

test('each command has a writer in the library', () => {
  const written = new Set(ALL.flatMap(({ manifests }) => containers(manifests({}))).map(({ args: [name] }) => name));
  expect([...written].sort()).toEqual(COMMANDS.map(({ contract }) => contract.name).sort());
});
