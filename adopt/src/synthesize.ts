import { evaluate } from './code/evaluate';
import { Call, Expression, Fields, isFields, Json } from './code/expression';
import { Description } from './describe/description';
import { Modules, namesOf } from './modules';
import { ConfigurationError } from '../../cli/configuration';
import { printable } from '../../cli/printable';

/** Every try leaves out one property, of fewer than these. */
const MAX_TRIES = 200;

/** What the library makes of a description. */
export interface Synthesis {
  /** Without what it refused. */
  readonly description: Description;
  /** The custom resource. */
  readonly object: Json;
  /** Names that must resolve to the shared address. */
  readonly dnsNames: string[];
  /** What the library refused, and why: an API server or an operator once took it. */
  readonly refused: string[];
  readonly warnings: string[];
}

/**
 * Has the library make the custom resource of a description. What it refuses is left out, so that the patches have it.
 *
 * @throws ConfigurationError when it refuses what it cannot do without
 */
export function synthesize(modules: Modules, description: Description, controller: Expression): Synthesis {
  const refused: string[] = [];
  let current = description;
  for (let i = 0; i < MAX_TRIES; i += 1) {
    try {
      return { ...made(modules, current, controller), description: current, refused };
    } catch (error) {
      if (!isInvalidInput(error)) throw refusal(current, error);
      const next = vouched(current, error) ?? withoutField(current, error);
      if (next === undefined) throw refusal(current, error);
      if (next.platformProps.newestKubernetesVersion === current.platformProps.newestKubernetesVersion) refused.push(printable(`${error.field}: ${error.reason}`));
      current = next;
    }
  }
  throw refusal(description, new Error('has too much that the library refuses'));
}

function made(modules: Modules, description: Description, controller: Expression): Pick<Synthesis, 'object' | 'dnsNames' | 'warnings'> {
  const { library, cdk8s } = modules;
  const app = new cdk8s.App();
  const management = new cdk8s.Chart(app, 'management');
  const controlPlane = new library.IngressExposedControlPlane(management, 'control-plane', evaluate(constructProps(description, controller), namesOf(modules)) as any);
  if (description.tcpProxy) {
    const tenants = new library.TenantCharts(management, 'tenants', { delivery: library.TenantDelivery.sync() });
    new library.TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
  }
  return { object: controlPlane.platformObject.toJson(), dnsNames: controlPlane.dnsNames, warnings: library.Warnings.of(management) };
}

/** All properties of the construct, as the program has them. */
export function constructProps({ props, platform, platformProps }: Description, controller: Expression): Fields {
  return { ...props, platform: new Call(platform, Object.keys(platformProps).length === 0 ? [] : [platformProps]), controller };
}

interface InvalidInput extends Error {
  readonly field: string;
  readonly value: unknown;
  readonly reason: string;
}

function isInvalidInput(error: unknown): error is InvalidInput {
  return error instanceof Error && error.name === 'InvalidInputError' && typeof (error as { field?: unknown }).field === 'string';
}

/** Names of the control plane, without which there is none. */
const NEEDED = ['namespace', 'name', 'kubernetesVersion', 'konnectivity'];

/** A version that runs is one that the operator takes, however new. */
function vouched(description: Description, { field }: InvalidInput): Description | undefined {
  const minor = /^\d+\.\d+/.exec(String(description.props.kubernetesVersion))?.[0];
  return field === 'kubernetesVersion' && minor !== undefined && description.platformProps.newestKubernetesVersion === undefined && !description.platform.endsWith('.hypershift')
    ? { ...description, platformProps: { newestKubernetesVersion: minor, ...description.platformProps } }
    : undefined;
}

/** Without the property that an error is about; undefined where there is no such property, or no way without it. */
function withoutField(description: Description, { field, value }: Pick<InvalidInput, 'field' | 'value'>): Description | undefined {
  const keys = field.split(/[.[\]]+/).filter(key => key !== '');
  if (keys[0] === undefined || (NEEDED.includes(keys[0]) && (keys.length === 1 || value === undefined))) return undefined;
  const platformProps = without(description.platformProps, keys);
  if (platformProps !== undefined) return { ...description, platformProps: platformProps as Fields };
  // An error about a key of a map says so after the name of the property.
  const [word] = /^[A-Za-z]\w*(?=: )/.exec(field) ?? [];
  if (word !== undefined && word !== field && !NEEDED.includes(word)) return withoutField(description, { field: word, value });
  const props = without(description.props, keys);
  return props === undefined ? undefined : { ...description, props: props as Fields };
}

/** The value without what stands at a path, or at its beginning where it does not go as far; undefined where nothing stands there. */
function without(value: Expression, [key, ...rest]: string[]): Expression | undefined {
  if (Array.isArray(value)) {
    const i = Number(key);
    if (!Number.isInteger(i) || i < 0 || i >= value.length) return undefined;
    return value.filter((_, j) => j !== i);
  }
  if (!isFields(value) || !Object.hasOwn(value, key)) return undefined;
  const left = rest.length > 0 ? without(value[key], rest) : undefined;
  const isLeft = left !== undefined && !(Array.isArray(left) && left.length === 0);
  return Object.fromEntries(Object.entries(value).flatMap(([name, each]) => (name !== key ? [[name, each]] : isLeft ? [[name, left]] : [])));
}

function refusal({ controlPlane: { system, source: { namespace, name } } }: Description, error: unknown): ConfigurationError {
  const title = `${system} ${namespace}/${name}`;
  if (isInvalidInput(error) && error.value === undefined && /hostname/.test(error.field)) {
    return new ConfigurationError(printable(`${title}: nothing names a host for it (${error.field}): give --domain, of which the library makes hosts`));
  }
  return new ConfigurationError(printable(`${title}: cannot be described: ${(error as Error).message}`, 1000));
}
