import type { OperatorObject } from '../control-plane-platform';
import type { K0sVersion } from './k0s-version';
import { k0smotronIngressManifestsName, k0smotronIngressName, k0smotronSecretNames, k0smotronServiceName, k0smotronStatefulSetNames } from './k0smotron-names';
import { K0smotronProps, K0smotronServiceType } from './k0smotron-props';
import { shortened } from '../../manifests/k0smotron-facts';

/** What decides on the objects of a control plane, beside the user's settings. */
export interface K0smotronObjectsOptions {
  readonly serviceType: K0smotronServiceType;
  /** Whether it is reached by host names. */
  readonly ingress: boolean;
  /** Whether k0smotron makes the Ingress. */
  readonly deploysIngress: boolean;
  /** Whether it is a Cluster of k0smotron's own, and not one of Cluster API. */
  readonly standalone: boolean;
  /** @default - objects of all versions of k0s */
  readonly k0sVersion?: K0sVersion;
}

/**
 * The objects that k0smotron makes in the namespace of a control plane (its `reconcile…` functions, and Cluster API's
 * `secret.Name`). The names are made of that of the cluster, so those of `prod` can be those of `prod-etcd`.
 *
 * @param cluster name of the k0smotron Cluster; under Cluster API that of the Cluster API Cluster
 */
export function k0smotronObjects(cluster: string, props: K0smotronProps, options: K0smotronObjectsOptions): OperatorObject[] {
  const { serviceType, ingress, deploysIngress, standalone, k0sVersion } = options;
  const storage = props.storage?._type ?? 'etcd';
  const sets = k0smotronStatefulSetNames(cluster);
  const secrets = k0smotronSecretNames(cluster);
  // k0smotron before 2.0.4 brings them to all versions; no other object that it makes can be called as this one.
  const bringsAgents = ingress && !k0sVersion?.bringsAgentsBehindIngress;
  const makesCas = props.certificateRefs === undefined;
  const named = (kind: string, group: string, ...names: (string | false)[]): OperatorObject[] =>
    names.flatMap(name => name === false ? [] : [{ kind, group, name }]);
  return [
    ...named('Service', '', k0smotronServiceName(cluster, serviceType), storage === 'etcd' && sets.etcd,
      storage === 'nats' && shortened(`kmc-${cluster}-nats`)),
    ...named('StatefulSet', 'apps', sets.controlPlane, storage === 'etcd' && sets.etcd),
    ...named('ConfigMap', '', shortened(`kmc-${cluster}-config`), shortened(`kmc-entrypoint-${cluster}-config`), `kmc-${cluster}-telemetry-config`,
      // With an external address alone, which others get from their Service.
      (standalone || !ingress) && shortened(`kmc-${cluster}-endpoint`),
      ingress && k0smotronIngressManifestsName(cluster), bringsAgents && `${k0smotronIngressManifestsName(cluster)}-konnectivity`),
    ...named('Secret', '', secrets.kubeconfig, ingress && secrets.ingressHaproxy, storage === 'nats' && shortened(`kmc-${cluster}-nats-token`)),
    ...named('Secret', '', ...[
      ...makesCas ? ['ca', 'proxy', 'sa', 'etcd'] : [],
      ...storage === 'etcd' ? ['apiserver-etcd-client', 'etcd-server', 'etcd-peer'] : [],
      ...makesCas && standalone && ingress ? ['server', 'apiserver-kubelet-client'] : [],
    ].map(purpose => `${cluster}-${purpose}`)),
    ...named('CronJob', 'batch', props.storage?._settings.etcd?.defragSchedule !== undefined && shortened(`kmc-${cluster}-defrag`)),
    ...named('Ingress', 'networking.k8s.io', deploysIngress && k0smotronIngressName(cluster)),
    ...named('Cluster', 'k0smotron.io', !standalone && cluster),
  ];
}
