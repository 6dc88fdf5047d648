import { k8s } from 'cdk8s-plus-30';
import { USES } from './uses';
import { ImagePullPolicy, LogLevel } from '../../src';
import { InvalidInputError } from '../../src/validation/invalid-input';
import { expectValid } from '../support/schemas';

const quantity = (text: string) => k8s.Quantity.fromString(text);

/** What no API server takes, or no kubelet, or no agent; with the field that an error names. */
const WRONG: readonly [what: string, props: { readonly [name: string]: unknown }, field: string][] = [
  ['an empty image', { image: '' }, 'image'],
  ['an image of spaces', { image: '  ' }, 'image'],
  ['an image with a line break', { image: 'registry.example.com/tcp-proxy:1\n' }, 'image'],
  ['an image in upper case', { image: 'registry.example.com/TCP-Proxy:1' }, 'image'],
  ['null for an image', { image: null }, 'image'],
  ['a number for an image', { image: 1 }, 'image'],
  ['a pull policy that there is not', { imagePullPolicy: 'Sometimes' }, 'imagePullPolicy'],
  ['a pull policy in lower case', { imagePullPolicy: 'always' }, 'imagePullPolicy'],
  ['an empty pull policy', { imagePullPolicy: '' }, 'imagePullPolicy'],
  ['an empty name of a pull Secret', { imagePullSecrets: ['pull', ''] }, 'imagePullSecrets[1]'],
  ['a pull Secret that cannot be', { imagePullSecrets: ['Pull Secret'] }, 'imagePullSecrets[0]'],
  ['a text for a list of pull Secrets', { imagePullSecrets: 'pull' }, 'imagePullSecrets'],
  ['a log level that there is not', { logLevel: 'verbose' }, 'logLevel'],
  ['a log level in upper case', { logLevel: 'INFO' }, 'logLevel'],
  ['null for a log level', { logLevel: null }, 'logLevel'],
  ['a memory limit that is none', { resources: { limits: { memory: quantity('512 MB') } } }, 'resources.limits["memory"]'],
  ['a CPU request that is none', { resources: { requests: { cpu: quantity('ten') } } }, 'resources.requests["cpu"]'],
  ['a text for a quantity', { resources: { limits: { memory: '512Mi' } } }, 'resources.limits["memory"]'],
  ['null for resources', { resources: null }, 'resources'],
  ['a toleration of an unknown effect', { tolerations: [{ operator: 'Exists', effect: 'NoRun' }] }, 'tolerations[0].effect'],
  ['a toleration of an unknown operator', { tolerations: [{ key: 'a', operator: 'In' }] }, 'tolerations[0].operator'],
  ['a toleration of everything that does not say so', { tolerations: [{}] }, 'tolerations[0].operator'],
  ['a toleration with a value for nothing', { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }, 'tolerations[0].value'],
  ['a key that no node has', { nodeSelector: { 'a b': 'c' } }, 'nodeSelector'],
  ['a value that no node has', { nodeSelector: { zone: 'a\nb' } }, 'nodeSelector["zone"]'],
  ['a number as the value of a label of nodes', { nodeSelector: { zone: 1 } }, 'nodeSelector["zone"]'],
  ['null for an affinity', { affinity: null }, 'affinity'],
  ['an empty priority class', { priorityClassName: '' }, 'priorityClassName'],
  ['a priority class that cannot be', { priorityClassName: 'System Critical' }, 'priorityClassName'],
  ['a priority class with a line break', { priorityClassName: 'high\n' }, 'priorityClassName'],
  ['an annotation of pods without a key', { podAnnotations: { '': 'a' } }, 'podAnnotations'],
  ['an annotation of pods that is no text', { podAnnotations: { a: true } }, 'podAnnotations["a"]'],
  ['a label of pods that is none', { podLabels: { a: 'b c' } }, 'podLabels["a"]'],
  ['a label of pods whose key is none', { podLabels: { '-a': 'b' } }, 'podLabels'],
  ['a label that is none', { labels: { a: 'b/c' } }, 'labels["a"]'],
  ['a label whose key is none', { labels: { 'a/b/c': 'd' } }, 'labels'],
  ['a label of 64 characters', { labels: { a: 'b'.repeat(64) } }, 'labels["a"]'],
  ['an annotation with a space in its key', { annotations: { 'a b': 'c' } }, 'annotations'],
  ['null for annotations', { annotations: null }, 'annotations'],
];

describe.each(USES)('$name', ({ manifests }) => {
  test.each(WRONG)('refuses %s', (_, props, field) => {
    let error: unknown;
    try {
      manifests(props);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InvalidInputError);
    expect((error as InvalidInputError).field).toBe(field);
  });

  test('has all that its user says, in objects that the API server takes', () => {
    const props = {
      image: 'registry.example.com:5000/team/tcp-proxy:1.2.3',
      imagePullPolicy: ImagePullPolicy.NEVER,
      imagePullSecrets: ['pull.example.com'],
      logLevel: LogLevel.WARN,
      resources: { requests: { cpu: quantity('.5') }, limits: { memory: quantity('1e9'), cpu: k8s.Quantity.fromNumber(2) } },
      tolerations: [{ key: 'edge', operator: 'Equal', value: 'yes', effect: 'NoExecute', tolerationSeconds: 3 }],
      nodeSelector: { 'topology.kubernetes.io/zone': 'a' },
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
      priorityClassName: 'high',
      podAnnotations: { 'example.com/Note': 'any text, ü, of\nlines' },
      podLabels: { team: 'a', empty: '' },
      labels: { 'example.com/owner': 'b' },
      annotations: { restart: 'yes' },
    };
    const all = manifests(props);
    all.forEach(expectValid);
    const { metadata, spec: { template: { metadata: podMetadata, spec } } } = all.find(({ kind }) => kind === 'Deployment');
    const [container] = spec.containers;
    expect(container).toMatchObject({
      image: props.image,
      imagePullPolicy: 'Never',
      resources: { requests: { cpu: '.5' }, limits: { memory: '1e9', cpu: 2 } },
    });
    expect(container.args).toContain('--log-level=warn');
    const { tolerations, nodeSelector, affinity, priorityClassName } = props;
    expect(spec).toMatchObject({ tolerations, nodeSelector, affinity, priorityClassName, imagePullSecrets: [{ name: 'pull.example.com' }] });
    expect(podMetadata).toMatchObject({ annotations: props.podAnnotations, labels: props.podLabels });
    expect(metadata.annotations).toEqual(props.annotations);
    all.filter(({ metadata: { name } }) => name !== 'kubernetes').forEach(object => expect(object.metadata.labels).toMatchObject(props.labels));
  });

  test('is hardened, and probed on a port of its own', () => {
    const { spec } = manifests({}).find(({ kind }) => kind === 'Deployment').spec.template;
    expect(spec.securityContext).toEqual({ runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532, seccompProfile: { type: 'RuntimeDefault' } });
    expect(spec.enableServiceLinks).toBe(false);
    for (const container of spec.containers) {
      expect(container.securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
      expect(container.resources.limits).toEqual({ memory: expect.any(String) });
      expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'health' });
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'health' });
      expect(container.ports.filter(({ name }: any) => name === 'health')).toHaveLength(1);
    }
  });

  test('has a disruption budget, and metrics that can be scraped before it is ready', () => {
    const all = manifests({});
    const { selector, template } = all.find(({ kind }) => kind === 'Deployment').spec;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(all.find(({ kind }) => kind === 'PodDisruptionBudget').spec).toEqual({ maxUnavailable: 1, selector });
    const [metrics] = all.filter(({ kind, spec }) => kind === 'Service' && spec.clusterIP === 'None');
    expect(metrics.spec).toMatchObject({ publishNotReadyAddresses: true, selector: selector.matchLabels });
    expect(metrics.metadata.annotations).toEqual({ 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8404', 'prometheus.io/path': '/metrics' });
  });
});

describe.each(USES.filter(({ name }) => name !== 'sync'))('$name', ({ manifests }) => {
  test.each([
    ['maxConnections', 0], ['maxConnections', -5], ['maxConnections', 1.5], ['maxConnections', 1_000_001],
    ['threads', 0], ['threads', 65],
    ['tunnelTimeoutSeconds', 600], ['tunnelTimeoutSeconds', NaN], ['tunnelTimeoutSeconds', 2_147_484],
    ['reloadGraceSeconds', 0], ['reloadGraceSeconds', 2_147_484],
    ['propagationDelaySeconds', -1], ['propagationDelaySeconds', 2_147_484],
    ['gracePeriodSeconds', 0], ['gracePeriodSeconds', '60'], ['gracePeriodSeconds', 2_147_484],
  ])('refuses the %s %p', (field, value) => {
    expect(() => manifests({ [field]: value })).toThrow(expect.objectContaining({ field, value }));
  });
});
