import { Rule } from './rule';
import { pickText } from '../../manifests/fields';

/** What Steward installs beside the API server for workers with Talos. */
const PROVIDER = 'spec.addons.workerBootstrap.provider';

export const kubePrismName: Rule = {
  code: 'HCP115',
  severity: 'warning',
  title: 'workers with Talos do not ask for the host of their control plane',
  check: platform => platform.controlPlanes.flatMap(({ source, api, service }) => {
    const byPort = platform.portRoutes.some(route => route.namespace === service?.namespace && route.service === service.name);
    if (api === undefined || byPort || pickText(source.object, PROVIDER) !== 'talos') return [];
    return [{
      source,
      field: PROVIDER,
      message: `KubePrism, by which a kubelet of Talos dials, sends no server name or "localhost", and the shared address leads ${api.host} to the API server by that name`,
      remedy: `Give KubePrismConfig the tlsServerName ${api.host} (Talos 1.14 and newer), switch KubePrism off, or lead a port to this tenant; docs/talos.md has all ways`,
    }];
  }),
};
