import { ApiObject, App, Chart, YamlOutputType } from 'cdk8s';
import { claimObject, claimObjectName } from '../../src/synthesis/object-claims';

const CLUSTER = 'management';

/** An object that its chart claims. */
function claimed(chart: Chart, id: string, kind: string, name: string, namespace?: string, apiVersion = 'v1'): ApiObject {
  const object = new ApiObject(chart, id, { apiVersion, kind, metadata: { name, namespace } });
  claimObject(chart, object, CLUSTER);
  return object;
}

describe('the name of an object', () => {
  test('may occur once for each kind, namespace and cluster', () => {
    const app = new App();
    const [one, two] = ['one', 'two'].map(id => new Chart(app, id));
    claimed(one, 'a', 'Service', 'a', 'tenants');
    claimed(two, 'a', 'Service', 'a', 'others');
    claimed(two, 'b', 'ConfigMap', 'a', 'tenants');
    claimed(two, 'c', 'Service', 'a', 'tenants', 'serving.knative.dev/v1');
    claimObjectName(two, { kind: 'Service', group: '', namespace: 'tenants', name: 'a' }, 'berlin');
    expect(app.node.validate()).toEqual([]);
    claimObjectName(two, { kind: 'Service', group: '', namespace: 'tenants', name: 'a' }, CLUSTER);
    expect(app.node.validate()).toEqual([
      'Service in cluster "management": "tenants/a" is used by both one and two. '
      + 'Rename one of them. If they go to different clusters, say so before anything is made in them: ManagementCluster.assign(chart, "eu-1").',
    ]);
  });

  test('has no namespace where the object has none', () => {
    const app = new App();
    for (const id of ['one', 'two']) {
      claimed(new Chart(app, id), 'a', 'ClusterRole', 'a', undefined, 'rbac.authorization.k8s.io/v1');
    }
    expect(app.node.validate()).toEqual([expect.stringMatching(/^ClusterRole in cluster "management": "a" is used by both one and two\./)]);
  });

  test('has the namespace of its chart where the object gives none', () => {
    const app = new App();
    claimed(new Chart(app, 'one', { namespace: 'tenants' }), 'a', 'Service', 'a');
    claimed(new Chart(app, 'two'), 'a', 'Service', 'a', 'tenants');
    expect(app.node.validate()).toHaveLength(1);
  });
});

describe('the file of an object', () => {
  function errorsOf(yamlOutputType: YamlOutputType, charts: string[]): string[] {
    const app = new App({ yamlOutputType });
    const [one, two] = charts.map(id => app.node.tryFindChild(id) as Chart ?? new Chart(app, id));
    claimed(one, 'a', 'Service', 'a', 'tenants');
    claimed(two, 'b', 'Service', 'a', 'others');
    return app.node.validate();
  }

  test.each([YamlOutputType.FILE_PER_APP, YamlOutputType.FILE_PER_CHART])('is none of its own with the output type %d', type => {
    expect(errorsOf(type, ['one', 'one'])).toEqual([]);
    expect(errorsOf(type, ['one', 'two'])).toEqual([]);
  });

  test('would be overwritten by an object of another namespace in its chart', () => {
    expect(errorsOf(YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE, ['one', 'two'])).toEqual([]);
    expect(errorsOf(YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE, ['one', 'one'])).toEqual([
      'output file: "Service.a.k8s.yaml" is used by both one/a and one/b. YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE names the files of a chart ' +
      'by kind and name alone, so one would overwrite the other: give the objects different names, or a chart for each namespace or tenant.',
    ]);
  });

  test('would be overwritten by an object of another chart where charts have no folders', () => {
    const error = (a: string, b: string) => [
      `output file: "Service.a.k8s.yaml" is used by both ${a} and ${b}. YamlOutputType.FILE_PER_RESOURCE names files by kind and name alone, so one ` +
      'would overwrite the other: give the objects different names, or use FOLDER_PER_CHART_FILE_PER_RESOURCE with a chart for each namespace or tenant.',
    ];
    expect(errorsOf(YamlOutputType.FILE_PER_RESOURCE, ['one', 'one'])).toEqual(error('one/a', 'one/b'));
    expect(errorsOf(YamlOutputType.FILE_PER_RESOURCE, ['one', 'two'])).toEqual(error('one/a', 'two/b'));
  });
});
