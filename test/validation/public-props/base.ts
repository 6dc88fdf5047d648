import { App, Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps } from '../../../src';

/** A way to call something public with values that are valid, and to have them reach manifests. */
export interface Base {
  /** The arguments, without scope and id; made anew for each try. */
  readonly args: (management: Chart) => any[];
  /** Where a construct is made. @default - the chart of the management cluster */
  readonly scope?: (management: Chart) => Chart;
  /** What a method is called on. */
  readonly on?: (management: Chart) => any;
  /** Puts what was made where manifests are made of it; returns charts beside the one of the management cluster. */
  readonly use?: (made: any, management: Chart) => Chart[] | void;
  /** Whether the values are refused together, whatever each of them is: only the errors are looked at. */
  readonly refused?: boolean;
}

export type Bases = { readonly [entry: string]: Base[] };

/** One base without a use. */
export function plain(...args: any[]): Base {
  return { args: () => args };
}

export function controlPlane(scope: Construct, props: Partial<IngressExposedControlPlaneProps> = {}, id = 'tenant-01'): IngressExposedControlPlane {
  return new IngressExposedControlPlane(scope, id, {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    konnectivity: {},
    platform: ControlPlanePlatform.kamaji(),
    controller: IngressController.haproxy(),
    ...props,
  });
}

/** A chart for a tenant cluster, in an app of its own, as an app may make it by hand. */
export function tenantChart(management: Chart): Chart {
  return new Chart(management.node.root as App, 'tenant');
}

const selector = () => ({
  matchLabels: { app: 'edge' },
  matchExpressions: [{ key: 'example.com/zone', operator: 'In', values: ['a'] }],
});
const nodeTerm = () => ({
  matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }],
  matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }],
});
const podTerm = () => ({
  labelSelector: selector(),
  matchLabelKeys: ['pod-template-hash'],
  mismatchLabelKeys: ['team'],
  namespaceSelector: selector(),
  namespaces: ['edge'],
  topologyKey: 'kubernetes.io/hostname',
});
const podAffinity = () => ({
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, podAffinityTerm: podTerm() }],
  requiredDuringSchedulingIgnoredDuringExecution: [podTerm()],
});

/** Types of Kubernetes, with every field. */
export const affinity = () => ({
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, preference: nodeTerm() }],
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodeTerm()] },
  },
  podAffinity: podAffinity(),
  podAntiAffinity: podAffinity(),
});

export const tolerations = () => [
  { key: 'dedicated', operator: 'Equal', value: 'edge', effect: 'NoExecute', tolerationSeconds: 60 },
];

export const topologySpreadConstraints = () => [{
  labelSelector: selector(),
  matchLabelKeys: ['pod-template-hash'],
  maxSkew: 1,
  minDomains: 2,
  nodeAffinityPolicy: 'Honor',
  nodeTaintsPolicy: 'Ignore',
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'DoNotSchedule',
}];

export const resources = () => ({
  requests: { cpu: k8s.Quantity.fromString('100m'), memory: k8s.Quantity.fromString('256Mi') },
  limits: { memory: k8s.Quantity.fromString('1Gi') },
});

export const labels = () => ({ 'example.com/team': 'edge' });
export const annotations = () => ({ 'example.com/contact': 'edge@example.com' });
