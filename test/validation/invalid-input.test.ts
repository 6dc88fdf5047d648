import { inspect } from 'util';
import { Chart, Testing } from 'cdk8s';
import { invalidInput, InvalidInputError, placed } from '../../src/validation/invalid-input';

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

  test('is short where nobody catches it: the message, and each of its parts once', () => {
    const printed = inspect(invalidInput('port', 0, 'is no port', 'Choose one from 1 to 65535')).replace(/^ {4}at .*$/gm, '');
    expect(printed.match(/is no port/g)).toHaveLength(2);
    expect(printed.match(/Choose one/g)).toHaveLength(2);
  });

  test('is not made of what is no wrong input', () => {
    const error = new TypeError('x is not a function');
    expect(placed(new Chart(Testing.app(), 'chart'), error)).toBe(error);
    expect(error).not.toBeInstanceOf(InvalidInputError);
    expect(error.message).toBe('x is not a function');
  });
});
