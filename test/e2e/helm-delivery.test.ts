import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Chart, Testing } from 'cdk8s';
import { ChartRepository } from './support/chart-repository';
import { Cdk8sHelmDeliveryProps, HelmDelivery, IngressController, IngressControllerInstall, IngressControllerInstallProps } from '../../src';
import { stopParts } from '../data-path/support/parts';

/** Named like Traefik's chart, it shows what it was given. */
const CHART = {
  name: 'traefik',
  version: '40.1.2',
  files: {
    'values.yaml': 'deployment: { replicas: 1, kind: Deployment }',
    'crds/things.yaml': JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'things.example.com' } }),
    'templates/given.yaml': [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata:',
      '  name: {{ .Release.Name }}',
      '  namespace: {{ .Release.Namespace }}',
      'data:',
      '  values: {{ .Values | toJson | quote }}',
      '  kubeVersion: {{ .Capabilities.KubeVersion.Version | quote }}',
    ].join('\n'),
  },
};
let repository: ChartRepository;

beforeAll(async () => {
  const home = mkdtempSync(join(tmpdir(), 'helm-'));
  for (const folder of ['CACHE', 'CONFIG', 'DATA']) {
    process.env[`HELM_${folder}_HOME`] = join(home, folder);
  }
  repository = await ChartRepository.start(CHART);
}, 60_000);

afterAll(stopParts);

function install(props: Partial<IngressControllerInstallProps> = {}, delivery: Cdk8sHelmDeliveryProps = {}) {
  const chart = new Chart(Testing.app(), 'management');
  const construct = new IngressControllerInstall(chart, 'edge', {
    controller: IngressController.traefik(),
    chartVersion: CHART.version,
    namespace: 'ingress',
    chartRepository: repository.index,
    delivery: HelmDelivery.cdk8sHelm({ helmExecutable: process.env.HELM, ...delivery }),
    ...props,
  });
  const manifests: any[] = Testing.synth(chart);
  return { construct, manifests, given: manifests.find(({ kind }) => kind === 'ConfigMap') };
}

describe('the program helm', () => {
  test('renders the chart with the values of the controller, over those of the chart', () => {
    const { construct, given } = install();
    expect(given.metadata).toEqual({ name: 'edge', namespace: 'ingress' });
    expect(JSON.parse(given.data.values)).toEqual({ ...construct.values, deployment: { replicas: 2, kind: 'Deployment' } });
  });

  test('brings the definitions of custom resources along, and every object can be patched', () => {
    const { construct, manifests } = install();
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'CustomResourceDefinition']);
    expect(construct.objects.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'CustomResourceDefinition']);
  });

  test('takes further arguments', () => {
    expect(install({}, { helmFlags: ['--kube-version=1.29.3'] }).given.data.kubeVersion).toBe('v1.29.3');
  });

  test('takes the chart from a registry', () => {
    const { construct, given } = install({ chartRepository: repository.registry }, { helmFlags: ['--plain-http'] });
    expect(JSON.parse(given.data.values)).toMatchObject(construct.values);
  });

  test('says why it cannot render', () => {
    expect(() => install({ chartVersion: '41.0.0' })).toThrow(
      `delivery: "traefik 41.0.0 of ${repository.index}" cannot be rendered by helm: Error: chart "traefik" version "41.0.0" not found in ${repository.index} repository`);
  });
});
