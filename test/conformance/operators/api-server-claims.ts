import { OperatorAnswer } from './answer';
import { IngressExposedControlPlane } from '../../../src';
import { TenantSide } from '../../../src/control-plane/tenant-side';
import { flagsOf } from '../../../src/manifests/flags';

/** What this library says of a kube-apiserver whose flags an operator writes. */
export interface ApiServerClaims {
  /** Server of each kubeconfig of the administrator that names no public host, or the public one. */
  readonly servers: { readonly [secretKey: string]: string };
  /** Names and addresses that clients verify. */
  readonly sans: string[];
  readonly serviceNetworks: string;
  readonly endpointReconciler?: string;
  readonly advertiseAddress?: string;
  /** Flags that the custom resource asks for, as they are written there. */
  readonly asked: string[];
}

export function apiServerClaimed(controlPlane: IngressExposedControlPlane): ApiServerClaims {
  const { exposure } = controlPlane;
  const side = TenantSide.of(exposure)!;
  return {
    servers: servers(controlPlane),
    sans: sans(controlPlane),
    serviceNetworks: exposure.serviceCidrs.join(),
    endpointReconciler: side.endpointsOwnedByTcpProxy ? 'none' : undefined,
    advertiseAddress: side.advertiseAddress,
    asked: asked(controlPlane),
  };
}

export function apiServerAnswered(controlPlane: IngressExposedControlPlane, answer: OperatorAnswer): ApiServerClaims {
  const { exposure, secrets: { apiServerCertificate } } = controlPlane;
  const flags = flagsOf(answer.args['kube-apiserver'] ?? []);
  const presented = apiServerCertificate ? answer.sans[`${apiServerCertificate.secretName}/${apiServerCertificate.certificateKey}`] ?? [] : [];
  return {
    servers: Object.fromEntries(Object.keys(servers(controlPlane)).map(key => [key, answer.servers[key]])),
    sans: sans(controlPlane).filter(name => presented.includes(name)),
    serviceNetworks: flags['service-cluster-ip-range'],
    endpointReconciler: flags['endpoint-reconciler-type'],
    // Without a wish the operator chooses.
    advertiseAddress: TenantSide.of(exposure)!.advertiseAddress && flags['advertise-address'],
    asked: asked(controlPlane).filter(arg => answer.args['kube-apiserver']?.includes(arg)),
  };
}

/** Of a TenantControlPlane, or of a KamajiControlPlane. */
function asked({ platformObject }: IngressExposedControlPlane): string[] {
  const { spec: { controlPlane, apiServer } } = platformObject.toJson();
  return controlPlane?.deployment?.extraArgs?.apiServer ?? apiServer?.extraArgs ?? [];
}

function servers({ exposure, secrets: { adminKubeconfig } }: IngressExposedControlPlane): { [secretKey: string]: string } {
  const [{ serviceName, serviceNamespace, servicePort }] = exposure.routes;
  return Object.fromEntries((adminKubeconfig?.keys ?? []).map(key => [
    `${adminKubeconfig!.secretName}/${key}`,
    key.endsWith('.svc') ? `https://${serviceName}.${serviceNamespace}.svc:${servicePort}` : exposure.kubeconfigServer,
  ]));
}

function sans({ exposure, secrets }: IngressExposedControlPlane): string[] {
  // Pods verify the address of the Service `kubernetes`, which is of the primary family.
  return secrets.apiServerCertificate ? [...exposure.certSans, exposure.kubernetesServiceIps[0]].map(canonical) : [];
}

/** As certificates have it: names in lower case, and IPv6 as node prints it. */
function canonical(name: string): string {
  return name.includes(':') ? new URL(`https://[${name}]`).hostname.slice(1, -1) : name.toLowerCase();
}
