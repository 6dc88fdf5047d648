import { inspect } from 'util';
import { App, Chart, Testing } from 'cdk8s';
import {
  ControlPlanePlatform, HostOwnershipPolicy, IngressController, IngressExposedControlPlane, SharedIngressGateway, TcpProxyAddon, TenantCharts,
} from '../../src';
import { nameFactories } from '../../src/validation/factories';
import { invalidInput, InvalidInputError, placed, placing } from '../../src/validation/invalid-input';

describe('the error for a wrong input', () => {
  test('has its parts as fields and in its message', () => {
    const error = invalidInput('port', NaN, 'is no port', 'Choose one from 1 to 65535');
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'InvalidInputError', field: 'port', value: NaN, reason: 'is no port', remedy: 'Choose one from 1 to 65535' });
    expect(error.message).toBe('port: NaN is no port. Choose one from 1 to 65535.');
  });

  test('says which construct was given the input, the nearest one', () => {
    const outer = new Chart(Testing.app(), 'outer');
    const error = invalidInput('port', 0, 'is no port', 'Choose one from 1 to 65535');
    expect(placed(new Chart(outer, 'inner'), error)).toBe(error);
    placed(outer, error);
    expect(error.constructPath).toBe('outer/inner');
    expect(error.message).toBe('outer/inner: port: 0 is no port. Choose one from 1 to 65535.');
  });

  test('says which factory was given the input, that which the user called, until a construct is', () => {
    class Inner {
      public static make(): void {
        throw invalidInput('port', 0, 'is no port', 'Choose one from 1 to 65535');
      }
    }
    class Outer {
      public static make(): void {
        Inner.make();
      }

      public static _internal(): void {
        Inner.make();
      }
    }
    nameFactories(Inner);
    nameFactories(Outer);
    expect(Outer.make.name).toBe('make');
    expect(() => Outer._internal()).toThrow(new Error('Inner.make: port: 0 is no port. Choose one from 1 to 65535.'));
    const error = thrown(() => Outer.make());
    expect(error).toMatchObject({ factory: 'Outer.make', constructPath: undefined, message: 'Outer.make: port: 0 is no port. Choose one from 1 to 65535.' });
    placed(new Chart(Testing.app(), 'chart'), error);
    expect(error).toMatchObject({ factory: undefined, constructPath: 'chart', message: 'chart: port: 0 is no port. Choose one from 1 to 65535.' });
  });

  test.each<[string, string]>([
    ['a line break', '\n'], ['a carriage return', '\r'], ['an escape sequence', '\u001b[2J'], ['a control of C1', '\u009b31m'], ['a separator of lines', '\u2028'],
    ['what reorders text', '\u202e'], ['what has no width', '\u200b'], ['what annotates text', '\ufff9'],
  ])('is one line that steers no terminal, whatever it quotes: %s', (_, text) => {
    const error = invalidInput(`labels.${text}`, text, `has the label "${text}"`, `Write "${text}"`);
    placed(new Chart(Testing.app(), 'chart'), error);
    expect(error.message).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufff9-\ufffb]+$/);
    expect(error.message).toContain(`\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`);
    // Programs match what was given.
    expect(error).toMatchObject({ value: text, reason: `has the label "${text}"` });
  });

  test('has the path of the construct whose method was called', () => {
    const chart = new Chart(Testing.app(), 'chart');
    expect(placing(chart, () => 1)).toBe(1);
    expect(() => placing(chart, () => {
      throw invalidInput('port', 0, 'is no port', 'Choose one');
    })).toThrow(new Error('chart: port: 0 is no port. Choose one.'));
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'port: is no port. Choose one.'],
    ['null', null, 'port: null is no port. Choose one.'],
    ['a long text', 'x'.repeat(1000), `port: "${'x'.repeat(499)}… is no port. Choose one.`],
    ['an object of a class', Testing.app(), 'port: the App is no port. Choose one.'],
    ['a map', { a: 1 }, 'port: {"a":1} is no port. Choose one.'],
    ['a map without a prototype', Object.assign(Object.create(null), { a: 1 }), 'port: {"a":1} is no port. Choose one.'],
    ['a map that holds itself', holdingItself(), 'port: the object is no port. Choose one.'],
    ['a date', new Date(0), 'port: "1970-01-01T00:00:00.000Z" is no port. Choose one.'],
    ['a large number', 2n ** 64n, 'port: 18446744073709551616 is no port. Choose one.'],
    ['a symbol', Symbol('x'), 'port: Symbol(x) is no port. Choose one.'],
  ])('shows %s', (_, value, message) => {
    expect(invalidInput('port', value, 'is no port', 'Choose one').message).toBe(message);
  });

  test('is short where nobody catches it: the message, and each of its parts once', () => {
    const printed = inspect(invalidInput('port', 0, 'is no port', 'Choose one from 1 to 65535')).replace(/^ {4}at .*$/gm, '');
    expect(printed.match(/is no port/g)).toHaveLength(2);
    expect(printed.match(/Choose one/g)).toHaveLength(2);
  });

  test.each<[string, (app: App) => void]>([
    ['gateway', app => new SharedIngressGateway(app, 'gateway', { namespace: 'edge' })],
    ['hosts', app => new HostOwnershipPolicy(app, 'hosts', { namespace: 'host-policy', domains: [{ domain: 'example.com' }] })],
    ['tenants/certificates', app => {
      const controlPlane = new IngressExposedControlPlane(new Chart(app, 'management'), 'tenant-01', {
        namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', konnectivity: {}, platform: ControlPlanePlatform.kamaji(), controller: IngressController.traefik(),
      });
      new TcpProxyAddon(new TenantCharts(app, 'tenants').of(controlPlane), 'tcp-proxy', { controlPlane });
    }],
  ])('is what a construct says that is in no chart, where cdk8s tells neither whose it is nor what to do: %s', (path, make) => {
    expect(() => make(Testing.app())).toThrow(new Error(
      `${path}: scope: is in no chart, and a chart is what is applied to a cluster. Give a chart, or a construct in one, e.g. new Chart(app, "management").`));
  });

  test('is not made of what is no wrong input', () => {
    const error = new TypeError('x is not a function');
    expect(placed(new Chart(Testing.app(), 'chart'), error)).toBe(error);
    expect(error).not.toBeInstanceOf(InvalidInputError);
    expect(error.message).toBe('x is not a function');
  });
});

function thrown(action: () => void): InvalidInputError {
  try {
    action();
  } catch (error) {
    return error as InvalidInputError;
  }
  throw new Error('nothing was thrown');
}

function holdingItself(): object {
  const map: { self?: object } = {};
  map.self = map;
  return map;
}
