import { AnsweredRoute, OperatorAnswer } from './answer';
import { apiServerAnswered, ApiServerClaims, apiServerClaimed } from './api-server-claims';
import { OperatorCase } from './cases';
import { directAnswered, directClaimed, DirectClaims } from './direct-claims';
import { k0sAnswered, K0sClaims, k0sClaimed, runsK0s } from './k0s-claims';
import { IngressExposedControlPlane } from '../../../src';
import { DEFAULT_UNHANDLED_CLASS } from '../../../src/manifests/tenant-control-plane-facts';

/** What this library says of a control plane before an operator has seen it, and what the operator made of it, side by side. */
export interface Claims {
  /** All that the operator makes, as `Kind/name`. */
  readonly objects: string[];
  /** `Service:port` behind each route that the operator's Service has. */
  readonly ports: string[];
  readonly podLabels?: { readonly [label: string]: string };
  /** Secrets that other parts read, as `Secret/key`. */
  readonly secrets: string[];
  /** Of the API server: its names, networks and who writes its endpoints. */
  readonly apiServer: ApiServerClaims | K0sClaims | DirectClaims;
  /** Routes in classes and at Gateways that somebody serves. */
  readonly routes: Omit<AnsweredRoute, 'name'>[];
}

/** What this library says. */
export function claimed(operatorCase: OperatorCase): Claims {
  const { controlPlane } = operatorCase;
  if (!controlPlane) {
    return directClaimed(operatorCase);
  }
  const { exposure, platform, operatorRoutes, kubernetesVersion } = controlPlane;
  const { routes: [api] } = exposure;
  const { podLabels } = platform!.defaults(exposure.name, exposure.namespace);
  const made = platform!.operatorObjects(exposure, operatorRoutes, kubernetesVersion);
  const objects = [`Service/${api.serviceName}`, ...made.map(({ kind, name }) => `${kind}/${name}`)];
  return {
    objects: [...new Set(objects)].filter(object => !runsFirst(controlPlane, object.replace('Secret/', ''))).sort(),
    ports: backends(controlPlane),
    podLabels,
    secrets: secretKeys(controlPlane),
    apiServer: runsK0s(controlPlane) ? k0sClaimed(controlPlane) : apiServerClaimed(controlPlane),
    routes: routesOf(controlPlane, operatorCase.front),
  };
}

/** What the operator made of it, as far as this library says anything. */
export function answered(operatorCase: OperatorCase, answer: OperatorAnswer): Claims {
  const { controlPlane, front: { ingressAnnotations: passing }, resource } = operatorCase;
  if (!controlPlane) {
    return directAnswered(operatorCase, answer);
  }
  const { exposure, platform } = controlPlane;
  const { podLabels = {} } = platform!.defaults(exposure.name, exposure.namespace);
  const [labels] = Object.values(answer.podLabels);
  const services = Object.entries(answer.services).flatMap(([name, { ports }]) => Object.values(ports).map(port => `${name}:${port}`));
  return {
    objects: answer.objects.filter(object => object !== `${resource.kind}/${resource.metadata.name}`),
    ports: backends(controlPlane).filter(backend => services.includes(backend)),
    podLabels: labels && Object.fromEntries(Object.keys(podLabels).map(name => [name, labels[name]])),
    secrets: secretKeys(controlPlane).filter(key => answer.secrets[key.split('/')[0]]?.includes(key.split('/')[1])),
    apiServer: runsK0s(controlPlane) ? k0sAnswered(controlPlane, answer) : apiServerAnswered(controlPlane, answer),
    routes: answer.routes.filter(({ at }) => at !== DEFAULT_UNHANDLED_CLASS)
      // Operators add annotations of their own.
      .map(({ name, annotations, ...route }) => ({ ...route, annotations: pick(annotations, Object.keys(passing)) })),
  };
}

/** Whether a Secret comes of a pod that runs: k0smotron asks k0s in it for the kubeconfig, and no pod runs in these tests. */
function runsFirst(controlPlane: IngressExposedControlPlane, secretName: string): boolean {
  return runsK0s(controlPlane) && secretName === controlPlane.secrets.adminKubeconfig?.secretName;
}

function backends({ exposure: { name, konnectivity, routes } }: IngressExposedControlPlane): string[] {
  // Routes of other TLS services lead to Services of others.
  return routes.slice(0, konnectivity ? 2 : 1).map(({ serviceName = name, servicePort }) => `${serviceName}:${servicePort}`);
}

function secretKeys(controlPlane: IngressExposedControlPlane): string[] {
  const { adminKubeconfig, clusterCa, apiServerCertificate } = controlPlane.secrets;
  const pairs = [clusterCa, apiServerCertificate].flatMap(secret => secret ? [secret.certificateKey, secret.privateKeyKey].map(key => `${secret.secretName}/${key}`) : []);
  const keys = [...adminKubeconfig ? adminKubeconfig.keys.map(key => `${adminKubeconfig.secretName}/${key}`) : [], ...pairs];
  return keys.filter(key => !runsFirst(controlPlane, key.split('/')[0]));
}

function pick(values: { readonly [name: string]: string }, names: string[]): { [name: string]: string } {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** An Ingress for all hosts, with the annotations that pass TLS through, or a TLSRoute for each. */
function routesOf({ exposure, operatorRoutes, platform }: IngressExposedControlPlane, front: OperatorCase['front']): Claims['routes'] {
  const { gatewayRef, ingressClassName = '', ingressAnnotations } = front;
  const gateway = platform!.defaults(exposure.name, exposure.namespace).port !== undefined;
  const hosts = operatorRoutes.map(({ hostname }) => hostname);
  const services = operatorRoutes.map(({ serviceName, servicePort }) => `${serviceName}:${servicePort}`);
  if (!gateway) {
    return hosts.length === 0 ? [] : [{ kind: 'Ingress', at: ingressClassName, annotations: ingressAnnotations, hosts, backends: services }];
  }
  return operatorRoutes.map(({ name }, i) => ({
    kind: 'TLSRoute', at: `${gatewayRef!.namespace}/${gatewayRef!.name}/${name}`, annotations: {}, hosts: [hosts[i]], backends: [services[i]],
  }));
}
