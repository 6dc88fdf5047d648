import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ControlPlanePlatform, OperatorObject, PlatformBindOptions, PlatformDefaults } from './control-plane-platform';
import { deepCopy } from './deep-copy';
import { HypershiftProps } from './hypershift-props';
import { hostedControlPlaneNamespace, validateHypershift, validateHypershiftExposure } from './hypershift-validation';
import { API_ROUTE, Exposure, KONNECTIVITY_ROUTE } from '../control-plane/exposure';
import { HostnamePattern } from '../control-plane/hostname-pattern';
import { IngressController } from '../controllers/ingress-controller';
import {
  HostedCluster, HostedClusterSpec, HostedClusterSpecControllerAvailabilityPolicy as AvailabilityPolicy,
  HostedClusterSpecEtcdManagedStorageType as StorageType, HostedClusterSpecEtcdManagementType as ManagementType,
  HostedClusterSpecNetworkingNetworkType as NetworkType, HostedClusterSpecServices, HostedClusterSpecServicesService as Service,
  HostedClusterSpecServicesServicePublishingStrategyType as Strategy,
} from '../imports/hypershift.openshift.io';
import { invalidInput } from '../validation/invalid-input';
import { required } from '../validation/required';
import { Warnings } from '../validation/warnings';

/** Routes of HyperShift beside the API server's and konnectivity's, by what a HostedCluster calls them. */
const FURTHER_ROUTES: [service: Service, route: string][] = [[Service.O_AUTH_SERVER, 'oauth'], [Service.IGNITION, 'ignition-server']];
const KONNECTIVITY_PORT = 8091;

/**
 * `hypershift.openshift.io/v1beta1` HostedCluster.
 *
 * HyperShift runs the control plane in the namespace `<namespace>-<name>`, creates a Route (`route.openshift.io`, whose
 * definition must be there) for every service, puts a proxy of its own on every node and keeps `default/kubernetes` of
 * the tenant itself. OpenShift's router answers to the Routes; for any other controller this library adds routes to
 * the same Services.
 *
 * The hosts of the OAuth and the ignition server are TLS services named `oauth` and `ignition-server`; without them
 * HyperShift chooses hosts below the management cluster's own domain.
 */
export class HypershiftPlatform extends ControlPlanePlatform {
  public readonly type = 'hypershift';
  private readonly props: HypershiftProps;

  public constructor(props: HypershiftProps) {
    super();
    this.props = deepCopy(required('props', props, 'Give releaseImage and pullSecretName'));
    validateHypershift(this.props);
  }

  public defaults(name: string, namespace: string): PlatformDefaults {
    return {
      backend: {
        serviceName: 'kube-apiserver',
        serviceNamespace: hostedControlPlaneNamespace(name, namespace),
        apiPort: this.props.apiServerPort === 443 ? 6443 : this.props.apiServerPort,
        konnectivityServiceName: 'konnectivity-server',
        konnectivityPort: KONNECTIVITY_PORT,
      },
      // Beside the HostedCluster (HyperShift's manifests.KubeConfigSecret). The CA is in the control plane's namespace, and
      // nothing needs it: HyperShift brings a proxy of its own.
      adminKubeconfig: { secretName: `${name}-admin-kubeconfig`, keys: ['kubeconfig'] },
      hostnamePattern: HostnamePattern.steward(),
    };
  }

  public override get bringsTcpProxy(): boolean {
    return true;
  }

  public override operatorRoutes({ routes }: Exposure, controller: IngressController): string[] {
    const names = [API_ROUTE, KONNECTIVITY_ROUTE, ...FURTHER_ROUTES.map(([, route]) => route)];
    return controller.type === 'openshift' ? names.filter(name => routes.some(route => route.name === name)) : [];
  }

  /** Beside the HostedCluster (HyperShift's manifests of its operator); the others are in a namespace of the control plane's own. */
  public override operatorObjects({ name }: Exposure): OperatorObject[] {
    return ['admin-kubeconfig', 'kubeadmin-password'].map(suffix => ({ kind: 'Secret', group: '', name: `${name}-${suffix}` }));
  }

  public bind(scope: Construct, options: PlatformBindOptions): ApiObject {
    validateHypershiftExposure(this.props, options);
    const { exposure, controller } = options;
    if (this.props.allowedCidrBlocks && controller.type !== 'openshift') {
      Warnings._add(scope, 'allowedCidrBlocks: HyperShift does not enforce them at controllers that it does not run. Give the control plane allowedCidrs too.');
    }
    const { name, namespace } = exposure;
    return new ApiObject(scope, 'Resource', HostedCluster.manifest({
      metadata: { name, namespace, labels: options.labels, annotations: options.annotations },
      spec: this.spec(exposure),
    }));
  }

  private spec(exposure: Exposure): HostedClusterSpec {
    const { props } = this;
    return {
      clusterId: exposure.clusterId,
      release: { image: props.releaseImage },
      pullSecret: { name: props.pullSecretName },
      sshKey: props.sshKeyName === undefined ? undefined : { name: props.sshKeyName },
      platform: props.platform ?? { type: 'None' },
      dns: props.baseDomain === undefined ? undefined : { baseDomain: props.baseDomain },
      controllerAvailabilityPolicy: (props.availability ?? 'HighlyAvailable') as AvailabilityPolicy,
      configuration: props.httpProxy && { proxy: { ...props.httpProxy } },
      nodeSelector: props.nodeSelector,
      etcd: {
        managementType: ManagementType.MANAGED,
        managed: {
          storage: {
            type: StorageType.PERSISTENT_VOLUME,
            persistentVolume: { size: props.etcdStorageSize ?? '8Gi', storageClassName: props.etcdStorageClassName },
          },
        },
      },
      networking: {
        networkType: (props.networkType ?? 'OVNKubernetes') as NetworkType,
        clusterNetwork: networks(exposure.podCidrs),
        serviceNetwork: networks(exposure.serviceCidrs),
        machineNetwork: props.machineCidrs && networks(props.machineCidrs),
        apiServer: {
          advertiseAddress: props.advertiseAddress,
          port: props.apiServerPort ?? 6443,
          allowedCidrBlocks: props.allowedCidrBlocks,
        },
      },
      services: services(exposure),
    };
  }
}

function networks(cidrs: string[]): { cidr: string }[] {
  return cidrs.map(cidr => ({ cidr }));
}

function services(exposure: Exposure): HostedClusterSpecServices[] {
  const published = (service: Service, hostname?: string): HostedClusterSpecServices =>
    ({ service, servicePublishingStrategy: { type: Strategy.ROUTE, route: hostname === undefined ? undefined : { hostname } } });
  return [
    published(Service.API_SERVER, exposure.api.host),
    published(Service.KONNECTIVITY, exposure.konnectivity!.host),
    ...FURTHER_ROUTES.map(([service, name]) => {
      const route = exposure.routes.find(candidate => candidate.name === name);
      if (route && route.serviceName === exposure.routes[0].serviceName) {
        throw invalidInput('tlsServices', name, 'leads to the API server', `Give its serviceName, as \`oc get route ${name}\` shows it in the control plane's namespace`);
      }
      return published(service, route?.hostname);
    }),
  ];
}
