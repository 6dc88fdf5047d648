import { ADMINISTRATOR, SERVICE_ACCOUNT } from './api-servers';
import { Installation } from './installation';
import { NAMES } from './platform';
import { NOBODY, Request } from './requests';

/** A way that a client takes. */
export interface Path {
  readonly client: string;
  readonly way: string;
  readonly request: Request;
  /** Whom the API server should take the client for; undefined where the connection should not get there. */
  readonly expected?: string;
}

/** Every way to an API server, and some that must not lead to one. */
export function pathsOf({ apiServers, exposures, ports }: Installation): Path[] {
  const { ingress, gatewaySni, gatewayClusterId, sniProxy, clusterIdProxy } = ports;
  const [one, two] = apiServers.map((apiServer, i) => ({
    apiServer, host: exposures[i].api.host, administrator: { certificate: apiServer.administrator }, pod: { token: apiServer.token },
  }));
  const outside = (tenant: typeof one) => ({ port: ingress, serverName: tenant.host, verifiedName: tenant.host, apiServer: tenant.apiServer });
  const inside = (tenant: typeof one, port: number) => ({ port, verifiedName: 'kubernetes.default.svc', apiServer: tenant.apiServer });
  return [
    { client: `kubectl of ${NAMES[0]}`, way: 'SNI -> ingress', request: { ...outside(one), ...one.administrator }, expected: ADMINISTRATOR },
    { client: `kubectl of ${NAMES[1]}`, way: 'SNI -> ingress', request: { ...outside(two), ...two.administrator }, expected: ADMINISTRATOR },
    { client: `kubectl of ${NAMES[1]}`, way: 'SNI -> gateway', request: { ...outside(two), port: gatewaySni, ...two.administrator }, expected: ADMINISTRATOR },
    { client: 'pod, by IP address', way: 'no SNI -> ingress', request: { ...outside(one), serverName: undefined, ...one.pod } },
    { client: `pod of ${NAMES[0]}`, way: 'no SNI -> tcp-proxy -> SNI -> ingress', request: { ...inside(one, sniProxy), ...one.pod }, expected: SERVICE_ACCOUNT },
    {
      client: `client certificate in ${NAMES[0]}`,
      way: 'no SNI -> tcp-proxy -> SNI -> ingress',
      request: { ...inside(one, sniProxy), ...one.administrator },
      expected: NOBODY,
    },
    { client: `pod of ${NAMES[1]}`, way: 'no SNI -> tcp-proxy -> cluster ID -> gateway', request: { ...inside(two, clusterIdProxy), ...two.pod }, expected: SERVICE_ACCOUNT },
    {
      client: `client certificate in ${NAMES[1]}`,
      way: 'no SNI -> tcp-proxy -> cluster ID -> gateway',
      request: { ...inside(two, clusterIdProxy), ...two.administrator },
      expected: ADMINISTRATOR,
    },
    { client: 'somebody', way: 'unknown SNI -> ingress', request: { ...outside(one), serverName: 'tenant-99.k8s.example.com', ...one.pod } },
    { client: 'somebody', way: 'no PROXY header -> gateway', request: { ...inside(two, gatewayClusterId), ...two.pod } },
  ];
}
