import { Change } from './difference';
import { Path } from '../json';

/** A kind of change, and what it means. */
export interface Topic {
  readonly title: string;
  /** Who notices; undefined for what is in no danger. */
  readonly warning?: string;
  readonly matches: RegExp;
}

/** Title of what has the operator issue certificates again. */
export const CERTIFICATES = 'Names in certificates';

/** From the most dangerous on: the first that matches counts. Paths are without positions in lists. */
export const TOPICS: readonly Topic[] = [
  {
    title: 'Address and host',
    warning: 'kubeconfigs that the operator makes, nodes and konnectivity agents are told another address',
    matches: /^(spec\.(controlPlane|network)\.(ingress|gateway)|spec\.(networkProfile|network)\.(address|serviceAddress|advertiseAddress|allowAddressAsExternalIP)$|spec\.ingress|spec\.externalAddress|spec\.services|spec\.networking\.apiServer|spec\.k0sConfig\.spec\.(api|konnectivity)\.(externalAddress|port|address)|metadata\.annotations\.kamaji\.clastix\.io\/ingress)/,
  },
  {
    title: CERTIFICATES,
    warning: 'the certificate of the API server is issued again, and the API server restarts; who asks for a name that goes is refused',
    matches: /(certSANs|k0sConfig\.spec\.api\.sans|certificateRefs|servingCerts|pki|issuerURL|serviceAccountSigningKey)/,
  },
  {
    title: 'Service',
    warning: 'the Service changes, and a cloud may take its address away',
    matches: /^spec\.(controlPlane\.service|service)(\.|$)|^spec\.network\.(service|additionalServicePorts)/,
  },
  {
    title: 'Load balancer',
    warning: 'the load balancer is made anew, or lets other networks in',
    matches: /loadBalancer/i,
  },
  {
    title: 'Where the data is',
    warning: 'the tenant\'s data may be moved, or not be found',
    matches: /^spec\.(dataStore|storage|etcd|kine|persistence|secretEncryption|k0sConfig\.spec\.storage)/,
  },
  {
    title: 'Version',
    warning: 'the control plane is upgraded',
    matches: /^spec\.(version|kubernetes\.version|release|image|channel|controlPlaneRelease)(\.|$)/,
  },
  {
    title: 'Networks',
    warning: 'Services and pods of the tenant have addresses of these networks',
    matches: /^spec\.(networkProfile|network|networking|k0sConfig\.spec\.network)(\.|$)/,
  },
  {
    title: 'Arguments of the API server and of konnectivity',
    warning: 'the pods with these arguments restart',
    matches: /(extraArgs|[cC]ontrollerPlaneFlags|controlPlaneFlags|k0sConfig\.spec\.(api|konnectivity))/,
  },
  { title: 'The rest', matches: /^/ },
];

/** Fields that may hold a password in their text. */
const SECRET = /(dataSourceURL|kineDataSourceURL|k0sConfig\.spec\.storage|password|token)/i;

export interface TopicChanges {
  readonly topic: Topic;
  readonly changes: Change[];
}

/** Changes by what they mean, the most dangerous first. */
export function byDanger(changes: Change[]): TopicChanges[] {
  return TOPICS
    .map(topic => ({ topic, changes: changes.filter(({ path }) => topicOf(path) === topic) }))
    .filter(each => each.changes.length > 0);
}

export function topicOf(path: Path): Topic {
  const text = plain(path);
  return TOPICS.find(({ matches }) => matches.test(text))!;
}

/** Whether the value is not for the eyes of whoever reads a report. */
export function isSecret(path: Path): boolean {
  return SECRET.test(plain(path));
}

function plain(path: Path): string {
  return path.filter(part => typeof part === 'string').join('.');
}
