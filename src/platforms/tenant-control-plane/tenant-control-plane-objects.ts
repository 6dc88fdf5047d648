import type { OperatorObject } from '../control-plane-platform';

/** Of the names of Secrets, what follows the name of the control plane (the `GetName` of each of the operators' resources). */
const SECRETS = [
  'admin-kubeconfig', 'api-server-certificate', 'api-server-kubelet-client-certificate', 'ca', 'controller-manager-kubeconfig', 'datastore-certificate',
  'datastore-config', 'front-proxy-ca-certificate', 'front-proxy-client-certificate', 'sa-certificate', 'scheduler-kubeconfig',
];

/** What Kamaji and Steward make for each control plane, beside its Service and its routes. */
export function tenantControlPlaneObjects(name: string, konnectivity: boolean): OperatorObject[] {
  const secrets = [...SECRETS, ...konnectivity ? ['konnectivity-certificate', 'konnectivity-kubeconfig'] : []];
  const configMaps = ['kubeadmconfig', ...konnectivity ? ['konnectivity-egress-selector-configuration'] : []];
  return [
    { kind: 'Deployment', group: 'apps', name },
    ...secrets.map(suffix => ({ kind: 'Secret', group: '', name: `${name}-${suffix}` })),
    ...configMaps.map(suffix => ({ kind: 'ConfigMap', group: '', name: `${name}-${suffix}` })),
  ];
}
