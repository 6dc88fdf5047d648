import { PlatformBindOptions } from '../control-plane-platform';
import { lastStatic, mayBeTaken, nodePortRange, nodePortRoutes, validateNodePorts } from './hypershift-node-ports';
import { HypershiftApiPublishing as Publishing, HypershiftManagementCluster, HypershiftProps } from './hypershift-props';
import { apiPublishing, IGNITION_ROUTE, isAroHcp, platformType, publishedRoutes, publishingOf, ROUTE_PORT } from './hypershift-services';
import { IngressController } from '../../controllers/ingress-controller';
import { API_PORT } from '../../manifests/hypershift-facts';
import { HYPERSHIFT_TLV_TYPE } from '../../model/cluster-id';
import { PassthroughRoute } from '../../model/exposure-props';
import { invalidInput } from '../../validation/invalid-input';

/** `spec.platform.type` of a HostedCluster; GCP and OpenStack behind feature gates. */
const PLATFORM_TYPES = ['AWS', 'Agent', 'Azure', 'GCP', 'IBMCloud', 'KubeVirt', 'None', 'OpenStack', 'PowerVS'];
/** Where HyperShift takes Routes alone for konnectivity, OAuth and ignition (`validateAWSConfig`; rules of the CRD for Azure). */
const ROUTES_ALONE = ['AWS', 'Azure', 'GCP'];
/** Where HyperShift refuses a node port for the API server. */
const NO_NODE_PORT = ['AWS', 'GCP'];

/** Checks how the API server is to be published, as far as it depends on the platform of the nodes alone. */
export function validateApiPublishing(props: HypershiftProps): void {
  const type = platformType(props);
  if (!PLATFORM_TYPES.includes(type)) {
    throw invalidInput('platform.type', type, 'is not a platform of HyperShift', `Give one of ${PLATFORM_TYPES.join(', ')}`);
  }
  const publishing = apiPublishing(props);
  const refused = (reason: string, remedy: string) => invalidInput('apiServerPublishing', publishing, reason, remedy);
  if (!Object.values(Publishing).includes(publishing)) {
    throw refused('is not a way of HyperShift', `Give one of ${Object.values(Publishing).join(', ')}`);
  }
  if (isAroHcp(props)) {
    if (publishing !== Publishing.ROUTE) {
      throw refused('is not for ARO HCP, where HyperShift\'s own shared ingress has the API server', 'Leave it out');
    }
  } else if (publishing === Publishing.ROUTE && type !== 'IBMCloud') {
    throw refused(`makes HyperShift run a router with a load balancer of its own for the cluster on ${type}, and pods reach no API server`,
      NO_NODE_PORT.includes(type) ? 'Use HypershiftApiPublishing.LOAD_BALANCER' : 'Leave it out, for a node port');
  } else if (publishing === Publishing.NODE_PORT && NO_NODE_PORT.includes(type)) {
    throw refused(`is refused by HyperShift on ${type}`, 'Use HypershiftApiPublishing.LOAD_BALANCER: an address for the API server of each tenant, and the others behind the shared one');
  }
}

/** Checks what can be published where. */
export function validatePublishing(props: HypershiftProps, { exposure, controller }: PlatformBindOptions): void {
  const routes = publishedRoutes(exposure);
  routes.forEach(validateHost);
  const [api, ...others] = routes;
  validateApiPort(props, api);
  if (ROUTES_ALONE.includes(platformType(props)) || isAroHcp(props)) {
    others.forEach(route => requireRoute(route, platformType(props)));
  }
  validateNodePorts(props, nodePortRoutes(props, exposure));
  const ignition = routes.find(({ name }) => name === IGNITION_ROUTE)!;
  if (props.managementClusterType === HypershiftManagementCluster.KUBERNETES && publishingOf(props, ignition) === Publishing.ROUTE) {
    throw invalidInput(`port of ${ignition.name}`, ignition.port, 'is that of a Route, and HyperShift waits until a router of OpenShift admits it, which is not there',
      `Give it a node port, e.g. tlsServices: [{ name: "${IGNITION_ROUTE}", port: 30002 }]`);
  }
  validateController(props, controller, api);
}

/** What an operator should know of the way. */
export function publishingWarnings(props: HypershiftProps, { exposure, controller }: PlatformBindOptions): string[] {
  const ports = nodePortRoutes(props, exposure).map(({ port }) => port);
  return [
    ...apiPublishing(props) === Publishing.NODE_PORT && platformType(props) === 'Azure'
      ? ['HyperShift on self-managed Azure: publishing the API server by a node port is not documented upstream.'] : [],
    ...ports.some(port => mayBeTaken(props, port))
      ? [`Kubernetes may give node ports above ${lastStatic(nodePortRange(props))} to any Service before HyperShift asks for them: prefer smaller ones.`] : [],
    ...props.allowedCidrBlocks && !controller.servesOpenShiftRoutes
      ? ['allowedCidrBlocks: HyperShift does not enforce them at controllers that it does not run. Give the control plane allowedCidrs too.'] : [],
  ];
}

/** The CRD takes hosts whose last label is of letters alone. */
function validateHost({ name, hostname }: PassthroughRoute): void {
  if (!/\.[a-z]{2,}$/.test(hostname)) {
    throw invalidInput(`host of ${name}`, hostname, 'is refused by HyperShift, which wants two or more letters and nothing else after the last dot', 'Give another name');
  }
}

function validateApiPort(props: HypershiftProps, { port }: PassthroughRoute): void {
  switch (apiPublishing(props)) {
    case Publishing.LOAD_BALANCER:
      if (port !== API_PORT) {
        throw invalidInput('port', port, `is not that of HyperShift's load balancer, ${API_PORT}`, 'Leave it out');
      }
      break;
    case Publishing.ROUTE:
      if (port !== ROUTE_PORT) {
        throw invalidInput('port', port, 'is not 443, the only port that HyperShift expects of Routes', 'Leave it out');
      }
      break;
    case Publishing.NODE_PORT:
      if (props.allowedCidrBlocks) {
        throw invalidInput('allowedCidrBlocks', props.allowedCidrBlocks, 'has no effect on an API server that is published by a node port',
          'Give the control plane allowedCidrs, which the shared gateway enforces, and close the node ports of the management cluster to others');
      }
  }
}

function requireRoute({ name, port }: PassthroughRoute, type: string): void {
  if (port !== ROUTE_PORT) {
    throw invalidInput(`port of ${name}`, port, `is not 443, and HyperShift takes Routes alone for ${name} on ${type}`, 'Give it port 443');
  }
}

function validateController(props: HypershiftProps, controller: IngressController, api: PassthroughRoute): void {
  const refused = (reason: string, remedy: string) => invalidInput('controller', controller.displayName, reason, remedy);
  if (isAroHcp(props)) {
    const gateway = controller._gateway;
    if (gateway && gateway.tlvType !== HYPERSHIFT_TLV_TYPE) {
      throw refused('does not take the cluster ID of TLV 0x20, which the nodes of ARO HCP send', 'Set hypershiftCompatibility of the gateway');
    }
    if (!gateway && !controller.servesOpenShiftRoutes) {
      throw refused('is not HyperShift\'s own shared ingress, which has all hosts on ARO HCP', 'Use IngressController.openshift(), for which HyperShift\'s Routes are enough');
    }
  } else if (apiPublishing(props) === Publishing.NODE_PORT && !controller.routesByPort(api)) {
    throw refused(`does not lead port ${api.port} to the API server without a host name, and the nodes' proxies connect without the name that it knows`,
      'Use a SharedIngressGateway, or a Gateway by gatewayApi(), whose portRange has the port, or HypershiftApiPublishing.LOAD_BALANCER');
  }
}
