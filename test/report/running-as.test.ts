import { Chart, JsonPatch, Testing } from 'cdk8s';
import { ReportedPlatform } from './platform';
import {
  ControlPlanePlatform, ExposureReport, HostedControlPlaneAttributes, IngressExposedControlPlane, IngressExposedControlPlaneProps,
  K0rdentClusterDeployment, K0rdentConfig,
} from '../../src';
import { sizeOf } from '../../src/manifests/size';
import { PAGE_CLUSTER } from '../clusters/hetzner/harness';

/** What the report says of how a control plane runs. */
function runningAs(props: Partial<IngressExposedControlPlaneProps>) {
  const made = new ReportedPlatform();
  made.tenant('tenant-01', props);
  return shown(made.report());
}

function shown(report: ExposureReport) {
  const [{ platform, kubernetesVersion, replicas, controller }] = report.toJson().controlPlanes;
  return [platform, kubernetesVersion, replicas, controller];
}

test.each<[string, Partial<IngressExposedControlPlaneProps>, unknown[]]>([
  ['Steward with its default', {}, ['Steward', '1.31.0', 2, 'traefik']],
  ['Kamaji', { platform: ControlPlanePlatform.kamaji({ replicas: 3 }) }, ['Kamaji', '1.31.0', 3, 'traefik']],
  ['Kamaji by Cluster API', { platform: ControlPlanePlatform.kamajiControlPlane({ replicas: 1 }) }, ['Kamaji', '1.31.0', 1, 'traefik']],
  ['k0smotron, without the revision of k0s', { platform: ControlPlanePlatform.k0smotron({ replicas: 3 }), kubernetesVersion: '1.34.3+k0s.1' }, ['k0smotron', '1.34.3', 3, 'traefik']],
])('the report says what runs: %s', (_, props, expected) => {
  expect(runningAs(props)).toEqual(expected);
});

test('a patch of the custom resource counts', () => {
  const made = new ReportedPlatform();
  made.tenant('tenant-01').platformObject.addJsonPatch(JsonPatch.replace('/spec/kubernetes/version', 'v1.32.5'));

  expect(shown(made.report())).toEqual(['Steward', '1.32.5', 2, 'traefik']);
});

test.each<[Partial<HostedControlPlaneAttributes>, unknown[]]>([
  [{ platform: ControlPlanePlatform.kamaji(), kubernetesVersion: '1.34.3' }, ['kamaji', '1.34.3', undefined, undefined]],
  [{}, [undefined, undefined, undefined, undefined]],
])('of a control plane that another app makes, what its attributes say: %#', (attributes, expected) => {
  const chart = new Chart(Testing.app(), 'management');
  IngressExposedControlPlane.fromAttributes(chart, 'elsewhere', { namespace: 'tenants', hostname: 'elsewhere.k8s.example.com', ...attributes });

  expect(shown(new ExposureReport(chart, 'report'))).toEqual(expected);
});

test('a ClusterDeployment has no version of its own: that is in its template', () => {
  const chart = Testing.chart();
  new K0rdentClusterDeployment(chart, 'cluster01', {
    template: 'hetzner-hosted-cp-1-2-0', credential: 'hcloud', config: K0rdentConfig.hostedHetzner({ ...PAGE_CLUSTER, controlPlaneReplicas: 3 }),
  });

  expect(shown(new ExposureReport(chart, 'report'))).toEqual(['k0rdent', undefined, 3, undefined]);
});

describe('an object of a running cluster', () => {
  const running = (apiVersion: string, kind: string, object: object) => sizeOf({ apiVersion, kind, object });

  test('has what runs, and how much of it is ready', () => {
    expect(running('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', {
      spec: { kubernetes: { version: 'v1.34.3' }, controlPlane: { deployment: { replicas: 3 } } },
      status: { kubernetesResources: { version: { version: 'v1.33.7' }, deployment: { readyReplicas: 2 } } },
    })).toEqual({ kubernetesVersion: '1.33.7', replicas: 3, readyReplicas: 2 });
    expect(running('controlplane.cluster.x-k8s.io/v1beta1', 'K0smotronControlPlane', { spec: { version: 'v1.34.3-k0s.0' }, status: { readyReplicas: 0, version: '' } }))
      .toEqual({ kubernetesVersion: '1.34.3', replicas: 1, readyReplicas: 0 });
  });

  test.each([
    ['SingleReplica', 1],
    ['HighlyAvailable', 3],
    [undefined, 3],
  ])('of HyperShift has as many API servers as its policy %s says', (controllerAvailabilityPolicy, replicas) => {
    expect(running('hypershift.openshift.io/v1beta1', 'HostedCluster', { spec: { controllerAvailabilityPolicy } })).toEqual({ replicas });
  });

  test('that is no control plane, or holds something else, says nothing', () => {
    expect(running('v1', 'ConfigMap', {})).toEqual({});
    expect(running('k0smotron.io/v1beta1', 'Cluster', { spec: { version: 7, replicas: 'many' }, status: { readyReplicas: -1 } })).toEqual({ replicas: 1 });
  });
});
