import { PAGE_CLUSTER } from './harness';
import { ControlPlanePlatform, HetznerHostedClusterProps, HetznerWorkerPoolProps, K0rdentConfig } from '../../../src';

/*
 * Fields that charts and documentation use and no custom resource has. An API server drops them silently, so the
 * compiler must not let them pass: it checks this file before the tests run.
 */
describe('fields that would be dropped silently do not compile', () => {
  const worker: HetznerWorkerPoolProps = { type: 'cpx22' };
  const cluster: HetznerHostedClusterProps = { ...PAGE_CLUSTER, namespace: 'clusters' };

  test.each<[string, () => unknown]>([
    // @ts-expect-error presence of the ingress turns it on
    ['ingress.enabled', () => ControlPlanePlatform.k0smotron({ ingress: { enabled: true } })],
    // @ts-expect-error the node port is the port of the Service
    ['service.apiNodePort', (): HetznerHostedClusterProps => ({ ...cluster, controlPlane: { apiNodePort: 31443 } })],
    // @ts-expect-error the name of v1beta1, which follows from the version
    ['controllerPlaneFlags', () => ControlPlanePlatform.k0smotron({ controllerPlaneFlags: [] })],
    // @ts-expect-error there are no commands before the installation beside preK0sCommands
    ['preInstallCommands', (): HetznerWorkerPoolProps => ({ ...worker, preInstallCommands: [] })],
    // @ts-expect-error Hetzner's provider attaches no disks
    ['dataDisks', (): HetznerWorkerPoolProps => ({ ...worker, dataDisks: [] })],
    // @ts-expect-error nor firewalls
    ['additionalSecurityGroups', (): HetznerWorkerPoolProps => ({ ...worker, additionalSecurityGroups: [] })],
    // @ts-expect-error the field is hetznerSecretRef, which follows from tokenSecret
    ['hcloudTokenRef', (): HetznerHostedClusterProps => ({ ...cluster, hcloudTokenRef: {} })],
    // @ts-expect-error the chart's name for it has no effect
    ['placementGroupName', () => K0rdentConfig.hostedHetzner({ ...PAGE_CLUSTER, placementGroupName: 'spread' })],
  ])('%s', (_, act) => {
    expect(act).toBeInstanceOf(Function);
  });
});
