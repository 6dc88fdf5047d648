import type { Scenario } from './scenario';
import { REGISTER } from '../../../../../src/agent/contract/commands';
import { REGISTRATIONS_FOLDER, SERVICE_ACCOUNT_FOLDER } from '../../../../../src/agent/contract/paths';
import { Registration, REGISTRATIONS_FILE, REGISTRATIONS_VERSION } from '../../../../../src/agent/contract/registrations';
import { notReady } from '../fault-state';
import { Pod } from '../pod';
import { HOSTS, TENANT } from '../world';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ARGO = { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', plural: 'applications', namespace: 'argocd' } as const;
const FLUX = { group: 'kustomize.toolkit.fluxcd.io', version: 'v1', kind: 'Kustomization', plural: 'kustomizations', namespace: 'flux' } as const;
const INTERVAL_MS = 5_000;

type Owner = typeof ARGO | typeof FLUX;

/** A tenant that Argo CD and Flux reach: what owns the registration comes and goes, its kubeconfig changes, and somebody writes to it. */
export const REGISTRATION: Scenario = {
  name: 'registration',
  sizes: { nodes: 0, gateways: 0, syncs: 0 },
  play: (world, { authority }) => {
    const { machines: { others }, management } = world;
    const kubeconfigSecret = `/api/v1/namespaces/tenants/secrets/${TENANT}-admin-kubeconfig`;
    let token = 'token-admin';
    let registrations: Registration[] = [registration(ARGO), registration(FLUX)];
    let owners: Owner[] = [];
    const list = () => JSON.stringify({ version: REGISTRATIONS_VERSION, registrations });
    const mount = () => others[0].files.mount(REGISTRATIONS_FOLDER, { [REGISTRATIONS_FILE]: list() });
    const put = (path: string, object: object) => management.byOthers(() => management.put(path, object));
    for (const { group, version, kind, plural } of [ARGO, FLUX]) {
      put(`${DEFINITIONS}/${plural}.${group}`, { spec: { group, scope: 'Namespaced', names: { plural, kind }, versions: [{ name: version }] }, status: {} });
    }
    for (const name of ['argocd', 'flux']) put(`/api/v1/namespaces/${name}`, {});
    return {
      mount,
      steps: [
        [() => {
          others[0] = new Pod(world, {
            name: 'register-0-1',
            hasIpv6: false,
            command: REGISTER as never,
            flags: { apiServer: `https://${HOSTS.management}`, interval: `${INTERVAL_MS / 1_000}s` },
            prepare: files => {
              files.mount(SERVICE_ACCOUNT_FOLDER, { 'token': world.tokens.management, 'ca.crt': authority.certificate });
              files.makeFolder(REGISTRATIONS_FOLDER);
            },
            onReady: () => undefined,
          });
          mount();
        }, 12_000],
        [() => {
          owners = [ARGO, FLUX];
          for (const owner of owners) put(ownerPath(owner), { metadata: { namespace: owner.namespace } });
        }, 7_000],
        [() => {
          token = 'token-admin-2';
          const text = Buffer.from(management.object(kubeconfigSecret)!.data['admin.svc'], 'base64').toString();
          put(kubeconfigSecret, { data: { 'admin.svc': Buffer.from(text.replace('"token-admin"', `"${token}"`)).toString('base64') } });
        }, 7_000],
        [() => {
          world.machines.rotateTokens();
          others[0].files.mount(SERVICE_ACCOUNT_FOLDER, { 'token': world.tokens.management, 'ca.crt': authority.certificate });
          const secret = management.object(secretPath(ARGO));
          if (secret) put(secretPath(ARGO), { ...secret, data: { ...secret.data, server: 'aHR0cHM6Ly9ldmlsLmV4YW1wbGUuY29t' } });
        }, 17_000],
        [() => others[0].crash(), 10_000],
        [() => {
          owners = [ARGO];
          management.byOthers(() => management.remove(ownerPath(FLUX)));
        }, 7_000],
        [() => {
          registrations = [registration(ARGO)];
          mount();
          others[0].process?.health[0]?.ask('/metrics', () => undefined);
        }, 7_000],
        [() => others[0].terminate(() => undefined), 1_000],
      ],
      wrong: () => [
        ...notReady(world),
        ...[ARGO, FLUX].flatMap(owner => {
          const text = Object.values(management.object(secretPath(owner))?.data ?? {}).map(value => Buffer.from(value as string, 'base64').toString()).join();
          if (!owners.includes(owner)) return text === '' ? [] : [`${owner.kind} is registered, and is gone`];
          return text.includes(`"${token}"`) && !text.includes('evil') ? [] : [`${owner.kind} is not registered as it should be: ${text}`];
        }),
      ],
    };
  },
};

function registration(owner: Owner): Registration {
  const { group, version, kind, plural: resource, namespace } = owner;
  return {
    tenant: { namespace: 'tenants', name: TENANT },
    kubeconfig: { secretName: `${TENANT}-admin-kubeconfig`, keys: ['admin.svc'] },
    secret: { namespace, name: `${TENANT}-cluster` },
    owner: { apiVersion: `${group}/${version}`, kind, resource, name: TENANT },
    as: owner === ARGO ? { kind: 'argo-cd', name: TENANT } : { kind: 'flux', key: 'value' },
  };
}

function ownerPath({ group, version, plural, namespace }: Owner): string {
  return `/apis/${group}/${version}/namespaces/${namespace}/${plural}/${TENANT}`;
}

function secretPath({ namespace }: Owner): string {
  return `/api/v1/namespaces/${namespace}/secrets/${TENANT}-cluster`;
}
