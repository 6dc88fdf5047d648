import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
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

  test('go to Node.js when the app is synthesized, each once with those that it is about', () => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'warnings-')) });
    const charts = ['five', 'four', 'one', 'three', 'two'].map(name => new Chart(app, name));
    charts.forEach(chart => Warnings._add(chart, 'retired'));
    Warnings._add(new Construct(charts[2], 'inner'), 'slow');
    expect(emitted).not.toHaveBeenCalled();
    app.synth();
    app.synth();
    expect(emitted.mock.calls).toEqual([
      ['five, four, one and 2 more: retired', 'HostedControlPlaneWarning'],
      ['one/inner: slow', 'HostedControlPlaneWarning'],
    ]);
  });

  test('are said of an app that cannot be synthesized too', () => {
    const app = new App();
    const chart = new Chart(app, 'one');
    Warnings._add(chart, 'retired');
    chart.node.addValidation({ validate: () => ['wrong'] });
    expect(() => app.synth()).toThrow('wrong');
    expect(emitted).toHaveBeenCalledTimes(1);
  });

  test('of what is missing are those that hold when somebody asks, and when the app is synthesized', () => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'warnings-')) });
    const [one, two] = ['one', 'two'].map(name => new Chart(app, name));
    const missing = new Set(['a proxy', 'a tunnel']);
    [one, two].forEach(chart => Warnings._addConditional(chart, () => [...missing]));
    expect(Warnings.of(app)).toEqual(['a proxy', 'a tunnel']);
    missing.delete('a proxy');
    expect(Warnings.of(one)).toEqual(['a tunnel']);
    app.synth();
    app.synth();
    expect(emitted.mock.calls).toEqual([['one, two: a tunnel', 'HostedControlPlaneWarning']]);
  });

  test('that are found while the app is synthesized are said as well', () => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'warnings-')) });
    const chart = new Chart(app, 'one');
    Warnings._add(chart, 'retired');
    chart.node.addValidation({
      validate: () => {
        Warnings._add(chart, 'late');
        return [];
      },
    });
    app.synth();
    expect(emitted.mock.calls.map(([text]) => text)).toEqual(['one: retired', 'one: late']);
  });
});
