import { X509Certificate } from 'crypto';
import { tunnelRoutes } from './routes';
import type { Scenario } from './scenario';
import { GATEWAY, SERVE } from '../../../../../src/agent/contract/commands';
import { CA_FOLDER, CONFIG_FILE, CONFIG_FOLDER, ROUTES_FOLDER, RUN_FOLDER, SERVICE_ACCOUNT_FOLDER, TUNNEL_MOUNT } from '../../../../../src/agent/contract/paths';
import type { Authority } from '../authority';
import { TUNNEL } from '../identities';
import { BROKEN } from '../modules/child-process';
import { Pod } from '../pod';
import { SERVICE, World } from '../world';

const HOUR = 3_600_000;
/** Both ends read all files again within half a minute. */
const RECHECK_MS = 35_000;
/** One of IPv6, of a tenant of which only that is known. */
const SIX = 'six.tenants.svc.cluster.local';
const GATEWAY_CONFIG = 'global\n';
const SERVE_CONFIG = `server upstream ${TUNNEL.host}:443 ssl sni "str(${TUNNEL.host})"\n`;

/** What the pods have mounted. */
interface Mounted {
  server: Record<string, string>;
  client: Record<string, string>;
  routes: Record<string, string>;
  configuration: string;
}

/** A proxy without a certificate of its own, whose way is a tunnel, and the gateway at its other end, which has all kinds of routes in files alone. */
export const TUNNEL_SCENARIO: Scenario = {
  name: 'tunnel',
  sizes: { nodes: 0, gateways: 0, syncs: 0 },
  play: (world, { authority, other, servers, clients }) => {
    const { machines: { others }, clock } = world;
    const folder = ({ certificate, key }: { certificate: string; key: string }, ca: string) => ({ 'tls.crt': certificate, 'tls.key': key, 'ca.crt': ca });
    const mounted: Mounted = {
      server: folder(servers[0], other.certificate),
      client: folder(clients[0], authority.certificate),
      routes: tunnelRoutes(SIX),
      configuration: GATEWAY_CONFIG,
    };
    // What HAProxy runs with where the mounted one is refused.
    let accepted = GATEWAY_CONFIG;
    world.names.set(SIX, 'fd00::7');
    world.names.set('edge-b.example.com', '10.3.0.1');
    const [gateway, proxy] = [() => others[0], () => others[1]];
    const isLed = () => leads(gateway(), proxy(), fingerprintOf(authority), fingerprintOf(other));
    const mount = () => {
      const configuration = { [CONFIG_FILE]: mounted.configuration };
      update(gateway(), { [TUNNEL_MOUNT]: mounted.server, [ROUTES_FOLDER]: mounted.routes, [CONFIG_FOLDER]: configuration });
      update(proxy(), { [TUNNEL_MOUNT]: mounted.client });
    };
    const crash = () => others.forEach(({ haproxy }) => haproxy?.running && haproxy.crash());
    const startGateway = () => {
      others[0] = gatewayPod(world, mounted);
    };
    const startProxy = () => {
      others[1] = proxyPod(world, mounted, authority.certificate, isLed);
    };
    return {
      mount,
      steps: [
        [() => {
          startGateway();
          startProxy();
        }, 15_000],
        [() => {
          mounted.server = folder(servers[1], other.certificate);
          mounted.client = folder(clients[1], authority.certificate);
          mount();
        }, 3_000],
        // What a start would find.
        [crash, 4_000],
        [() => {
          mounted.server = folder(servers[1], other.certificate + authority.certificate);
          mounted.client = folder(clients[1], authority.certificate + other.certificate);
          mount();
        }, 3_000],
        [crash, 4_000],
        // Connections of a target that is removed are closed, those of the others stay.
        [() => {
          gateway().haproxy?.sessions.set('0xa1', 'fd00::7:6443').set('0xb2', '10.1.0.1:6443');
          mounted.routes = tunnelRoutes();
          mount();
        }, 3_000],
        [() => {
          mounted.routes = { ...mounted.routes, 'tunnel-00.map': '' };
          const { haproxy } = proxy();
          if (haproxy) haproxy.failedCheck = 'L6RSP';
          mount();
        }, 12_000],
        [() => {
          mounted.routes = tunnelRoutes();
          mount();
        }, 3_000],
        [() => {
          for (const pod of others) pod.process?.health[0]?.ask('/metrics', () => undefined);
        }, 6_000],
        [() => {
          mounted.configuration = `${GATEWAY_CONFIG}${BROKEN}\n`;
          mount();
        }, 3_000],
        [() => others.forEach(pod => pod.crash()), 15_000],
        [() => {
          accepted = mounted.configuration = `${GATEWAY_CONFIG}# another\n`;
          mount();
        }, 13_000],
        [() => others.forEach(pod => pod.crashAgent()), 15_000],
        [() => {
          gateway().clockError = HOUR;
        }, RECHECK_MS],
        // It ends neither when it is asked to, nor when it is told to.
        [() => others.forEach((pod, i) => {
          if (pod.haproxy) pod.haproxy.stuck = true;
          pod.terminate(() => clock.schedule(0, i === 0 ? startGateway : startProxy));
        }), 60_000],
      ],
      wrong: () => [
        ...others.filter(({ ready }, i) => !ready && (i === 0 || isLed())).map(({ name, process }) => `${name} is not ready: ${process?.log.slice(-1).join('')}`),
        ...wrongEnd(gateway(), mounted.server),
        ...wrongEnd(proxy(), mounted.client),
        ...gateway().haproxy?.configuration === accepted ? [] : [`the gateway runs with ${gateway().haproxy?.configuration}`],
        ...gateway().haproxy?.ticketKeys.join() === ticketFile(gateway()) ? [] : ['the ticket keys in use are not those in the file'],
        ...mounted.routes['tunnel-00.map'] === '' || isLed() ? [] : ['the tunnel leads nowhere'],
      ],
    };
  },
};

function gatewayPod(world: World, mounted: Mounted): Pod {
  return new Pod(world, {
    name: `gateway-0-${world.pid()}`,
    command: GATEWAY as never,
    flags: { tunnelDir: TUNNEL_MOUNT, nameserver: ['10.96.0.10'], closeRemoved: true, gracePeriod: '5s' },
    prepare: files => {
      files.mount(CONFIG_FOLDER, { [CONFIG_FILE]: mounted.configuration });
      files.makeFolder(RUN_FOLDER);
      files.mount(SERVICE_ACCOUNT_FOLDER, { 'token': 'token-m1', 'ca.crt': '' });
      files.mount(ROUTES_FOLDER, mounted.routes);
      files.mount(TUNNEL_MOUNT, mounted.server);
    },
    onReady: () => undefined,
  });
}

function proxyPod(world: World, mounted: Mounted, ca: string, isLed: () => boolean): Pod {
  return new Pod(world, {
    name: `tcp-proxy-node-1-${world.pid()}`,
    command: SERVE as never,
    flags: { tunnelDir: TUNNEL_MOUNT, endpoints: 'none', servingName: ['kubernetes.default.svc'], gracePeriod: '5s' },
    // Its folder is not there yet.
    prepare: files => {
      files.mount(CONFIG_FOLDER, { [CONFIG_FILE]: SERVE_CONFIG });
      files.mount(CA_FOLDER, { 'ca.crt': ca });
      files.mount(TUNNEL_MOUNT, mounted.client);
    },
    onReady: () => undefined,
    onHaproxy: haproxy => {
      haproxy.upstream = isLed;
    },
  });
}

/** Each end knows the authority of the other, and the gateway where the tenant is. */
function leads({ haproxy: gateway }: Pod, { haproxy: proxy }: Pod, ofServers: string, ofClients: string): boolean {
  const knowsTenant = gateway?.map('tunnel').has(TUNNEL.client) && gateway.map('addresses').has(SERVICE);
  const knowsEachOther = gateway?.tunnelAuthorities.includes(ofClients) && proxy?.tunnelAuthorities.includes(ofServers);
  return Boolean(gateway?.listening && knowsTenant && knowsEachOther);
}

function fingerprintOf({ certificate }: Authority): string {
  return new X509Certificate(certificate).fingerprint.replace(/:/g, '');
}

function wrongEnd({ name, haproxy }: Pod, { 'tls.crt': certificate, 'ca.crt': authorities }: Record<string, string>): string[] {
  const count = authorities.match(/-----BEGIN/g)?.length;
  return [
    ...haproxy?.tunnelCertificate?.fingerprint === new X509Certificate(certificate).fingerprint ? [] : [`${name} shows another certificate than the one that is mounted`],
    ...haproxy?.tunnelAuthorities.length === count ? [] : [`${name} trusts ${haproxy?.tunnelAuthorities.length} authorities of the tunnel, not ${count}`],
  ];
}

function ticketFile({ files }: Pod): string {
  const file = `${RUN_FOLDER}/tunnel/ticket-keys`;
  return files.exists(file) ? files.read(file).toString().trimEnd().split('\n').join() : '';
}

/** Shows a pod what is not as it is mounted. */
function update({ files }: Pod, folders: Readonly<Record<string, Record<string, string>>>): void {
  for (const [folder, contents] of Object.entries(folders)) {
    const same = Object.entries(contents).every(([name, text]) => files.exists(`${folder}/${name}`) && files.read(`${folder}/${name}`).toString() === text);
    if (!same) files.mount(folder, contents);
  }
}
