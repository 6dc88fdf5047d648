import { App, Chart } from 'cdk8s';
import { AnsweredRoute, OperatorAnswer } from './answer';
import { OperatorCase } from './cases';
import { TenantSide } from '../../../src/control-plane/tenant-side';
import { flagsOf } from '../../../src/manifests/flags';
import { DEFAULT_UNHANDLED_CLASS } from '../../../src/manifests/tenant-control-plane-facts';
import { CONTROLLERS, PLATFORMS } from '../matrix';

/** What this library says of a control plane before an operator has seen it, and what the operator made of it, side by side. */
export interface Claims {
  /** All that the operator makes, as `Kind/name`. */
  readonly objects: string[];
  /** `Service:port` behind each route that the operator's Service has. */
  readonly ports: string[];
  readonly podLabels?: { readonly [label: string]: string };
  /** Secrets that other parts read, as `Secret/key`. */
  readonly secrets: string[];
  /** Server of each kubeconfig of the administrator that names no public host, or the public one. */
  readonly servers: { readonly [secretKey: string]: string };
  /** Names and addresses that clients verify. */
  readonly sans: string[];
  readonly serviceNetworks: string;
  readonly endpointReconciler?: string;
  readonly advertiseAddress?: string;
  /** Routes in classes and at Gateways that somebody serves. */
  readonly routes: Omit<AnsweredRoute, 'name'>[];
}

/** What this library says. */
export function claimed(operatorCase: OperatorCase): Claims {
  const { controlPlane } = operatorCase;
  const { exposure, platform, operatorRoutes } = controlPlane;
  const { routes: [api] } = exposure;
  const { podLabels } = platform!.defaults(exposure.name, exposure.namespace);
  const side = TenantSide.of(exposure)!;
  return {
    objects: [`Service/${api.serviceName}`, ...platform!.operatorObjects(exposure, operatorRoutes).map(({ kind, name }) => `${kind}/${name}`)].sort(),
    ports: backends(controlPlane),
    podLabels,
    secrets: secretKeys(controlPlane),
    servers: servers(controlPlane),
    sans: sans(controlPlane),
    serviceNetworks: exposure.serviceCidrs.join(),
    endpointReconciler: side.endpointsOwnedByTcpProxy ? 'none' : undefined,
    advertiseAddress: side.advertiseAddress,
    routes: routesOf(operatorCase),
  };
}

/** What the operator made of it, as far as this library says anything. */
export function answered({ controlPlane, resource }: OperatorCase, answer: OperatorAnswer): Claims {
  const { exposure, platform, secrets: { apiServerCertificate } } = controlPlane;
  const { podLabels = {} } = platform!.defaults(exposure.name, exposure.namespace);
  const [labels] = Object.values(answer.podLabels);
  const flags = flagsOf(answer.args['kube-apiserver'] ?? []);
  const presented = apiServerCertificate ? answer.sans[`${apiServerCertificate.secretName}/${apiServerCertificate.certificateKey}`] ?? [] : [];
  const services = Object.entries(answer.services).flatMap(([name, { ports }]) => Object.values(ports).map(port => `${name}:${port}`));
  return {
    objects: answer.objects.filter(object => object !== `${resource.kind}/${resource.metadata.name}`),
    ports: backends(controlPlane).filter(backend => services.includes(backend)),
    podLabels: labels && Object.fromEntries(Object.keys(podLabels).map(name => [name, labels[name]])),
    secrets: secretKeys(controlPlane).filter(key => answer.secrets[key.split('/')[0]]?.includes(key.split('/')[1])),
    servers: Object.fromEntries(Object.keys(servers(controlPlane)).map(key => [key, answer.servers[key]])),
    sans: sans(controlPlane).filter(name => presented.includes(name)),
    serviceNetworks: flags['service-cluster-ip-range'],
    endpointReconciler: flags['endpoint-reconciler-type'],
    // Without a wish the operator chooses.
    advertiseAddress: TenantSide.of(exposure)!.advertiseAddress && flags['advertise-address'],
    routes: answer.routes.filter(({ at }) => at !== DEFAULT_UNHANDLED_CLASS).map(({ name, ...route }) => route),
  };
}

type ControlPlane = OperatorCase['controlPlane'];

function backends({ exposure: { name, konnectivity, routes } }: ControlPlane): string[] {
  // Routes of other TLS services lead to Services of others.
  return routes.slice(0, konnectivity ? 2 : 1).map(({ serviceName = name, servicePort }) => `${serviceName}:${servicePort}`);
}

function secretKeys({ secrets: { adminKubeconfig, clusterCa, apiServerCertificate } }: ControlPlane): string[] {
  const pairs = [clusterCa, apiServerCertificate].flatMap(secret => secret ? [secret.certificateKey, secret.privateKeyKey].map(key => `${secret.secretName}/${key}`) : []);
  return [...adminKubeconfig ? adminKubeconfig.keys.map(key => `${adminKubeconfig.secretName}/${key}`) : [], ...pairs];
}

function servers({ exposure, secrets: { adminKubeconfig } }: ControlPlane): { [secretKey: string]: string } {
  const [{ serviceName, serviceNamespace, servicePort }] = exposure.routes;
  return Object.fromEntries((adminKubeconfig?.keys ?? []).map(key => [
    `${adminKubeconfig!.secretName}/${key}`,
    key.endsWith('.svc') ? `https://${serviceName}.${serviceNamespace}.svc:${servicePort}` : exposure.kubeconfigServer,
  ]));
}

function sans({ exposure, secrets }: ControlPlane): string[] {
  // Pods verify the address of the Service `kubernetes`, which is of the primary family.
  return secrets.apiServerCertificate ? [...exposure.certSans, exposure.kubernetesServiceIps[0]].map(canonical) : [];
}

/** As certificates have it: names in lower case, and IPv6 as node prints it. */
function canonical(name: string): string {
  return name.includes(':') ? new URL(`https://[${name}]`).hostname.slice(1, -1) : name.toLowerCase();
}

/** Only the annotations that pass TLS through; operators add others of their own. */
function routesOf({ cell, controlPlane: { exposure, operatorRoutes } }: OperatorCase): Claims['routes'] {
  const { gatewayRef, ingressClassName = '', ingressAnnotations } = CONTROLLERS[cell.controller](new Chart(new App(), 'management'), 'example.com');
  const gateway = PLATFORMS[cell.platform].make(() => 30000).platform.defaults(exposure.name, exposure.namespace).port !== undefined;
  return operatorRoutes.map(({ name, hostname, serviceName, servicePort }) => ({
    kind: gateway ? 'TLSRoute' : 'Ingress',
    at: gateway ? `${gatewayRef!.namespace}/${gatewayRef!.name}/${name}` : ingressClassName,
    annotations: gateway ? {} : ingressAnnotations,
    hosts: [hostname],
    backends: [`${serviceName}:${servicePort}`],
  }));
}
