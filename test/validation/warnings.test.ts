import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { Warnings } from '../../src';

describe('Warnings', () => {
  let emitted: jest.SpyInstance;
  beforeEach(() => {
    emitted = jest.spyOn(process, 'emitWarning').mockImplementation();
  });
  afterEach(() => emitted.mockRestore());

  test('are found on the construct and on everything above it, each text once', () => {
    const app = new App();
    const one = new Chart(app, 'one');
    const two = new Chart(app, 'two');
    Warnings._add(new Construct(one, 'inner'), 'retired');
    Warnings._add(two, 'retired');
    Warnings._add(two, 'slow');
    expect(Warnings.of(one)).toEqual(['retired']);
    expect(Warnings.of(two)).toEqual(['retired', 'slow']);
    expect(Warnings.of(app)).toEqual(['retired', 'slow']);
    expect(Warnings.of(new Chart(app, 'three'))).toEqual([]);
  });

  test('go to Node.js once for each app, however many constructs have them', () => {
    for (const app of [new App(), new App()]) {
      Warnings._add(new Chart(app, 'one'), 'retired');
      Warnings._add(new Chart(app, 'two'), 'retired');
    }
    expect(emitted.mock.calls).toEqual([['retired', 'HostedControlPlaneWarning'], ['retired', 'HostedControlPlaneWarning']]);
  });
});
