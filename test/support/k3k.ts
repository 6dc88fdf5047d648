import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { ControlPlanePlatform, HostnamePattern, PlatformBindOptions, PlatformDefaults, ResourcePaths } from '../../src';

/**
 * A sketch of one more platform, as a user would write it with what is exported: a Cluster of K3k (rancher/k3k, `k3k.io/v1beta1`, read in
 * `pkg/apis/k3k.io/v1beta1/types.go` and `pkg/controller/cluster/server/service.go`). It was not run.
 *
 * K3s has a tunnel of its own in its API server's port, so there is no konnectivity.
 */
export class K3kPlatform extends ControlPlanePlatform {
  public readonly type: string = 'k3k';

  public defaults(name: string): PlatformDefaults {
    return {
      backend: { serviceName: `k3k-${name}-service`, apiPort: 443, apiPodPort: 6443 },
      podLabels: { cluster: name, role: 'server' },
      hostnamePattern: HostnamePattern.steward(),
    };
  }

  public override get resourcePaths(): ResourcePaths {
    return { certSans: 'spec.tlsSANs' };
  }

  public bind(scope: Construct, { exposure, kubernetesVersion, apiServer, labels, annotations }: PlatformBindOptions): ApiObject {
    if (exposure.konnectivity) {
      throw new Error('konnectivity: K3s has a tunnel of its own. Leave it out.');
    }
    return new ApiObject(scope, 'cluster', {
      apiVersion: 'k3k.io/v1beta1',
      kind: 'Cluster',
      metadata: { name: exposure.name, namespace: exposure.namespace, labels, annotations },
      spec: {
        mode: 'virtual',
        version: `v${kubernetesVersion.replace('+', '-')}`,
        clusterCIDR: exposure.podCidrs.join(),
        serviceCIDR: exposure.serviceCidrs.join(),
        tlsSANs: exposure.certSans,
        serverArgs: Lazy.any({
          produce: () => [
            ...apiServer.endpointsOwnedByTcpProxy ? ['--kube-apiserver-arg=endpoint-reconciler-type=none'] : [],
            ...apiServer.advertiseAddress === undefined ? [] : [`--advertise-address=${apiServer.advertiseAddress}`],
          ],
        }),
      },
    });
  }
}
