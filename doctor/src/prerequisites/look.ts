import { ConfigurationError } from '../../../cli/configuration';
import { Kubectl, kubectlOf } from '../../../cli/management-cluster';
import { sideBySide } from '../../../cli/side-by-side';
import { pick, pickList, pickRecord, pickText } from '../../../src/manifests/fields';
import { API, ARGO_CD_CLUSTER, DEFAULT_STORAGE_CLASS, isImageOf, OPERATOR, Prerequisite } from '../../../src/manifests/prerequisites';

/** What was found out about one of them. `unsure`: it is there as far as can be seen from outside. */
export type Presence = 'ok' | 'missing' | 'wrong' | 'unsure' | 'unknown';

export interface Looked {
  readonly prerequisite: Prerequisite;
  readonly presence: Presence;
  /** Why it is not simply there. */
  readonly detail?: string;
}

type Answer = Pick<Looked, 'presence' | 'detail'>;

const AT_ONCE = 4;
/** An answer names so many objects at most: arguments of programs have a bound. */
const NAMES_AT_ONCE = 100;
const POD_SECURITY = 'pod-security.kubernetes.io/enforce';
const IS_DEFAULT = 'storageclass.kubernetes.io/is-default-class';
const OK: Answer = { presence: 'ok' };
const MISSING: Answer = { presence: 'missing' };

/**
 * Looks in a cluster for what manifests need, with `kubectl`. Of Secrets it asks for the names alone: the API server sends kubectl a
 * table, without what is in them.
 *
 * @throws ConfigurationError when there is no kubectl, or the cluster does not answer
 */
export async function lookFor(prerequisites: Prerequisite[], kubeconfig: string, context?: string): Promise<Looked[]> {
  const kubectl = kubectlOf(kubeconfig, context);
  await kubectl('get', '--raw=/version');
  const answers = new Map<Prerequisite, Answer>();
  await sideBySide(batches(prerequisites), AT_ONCE, async batch => {
    for (const [prerequisite, answer] of await lookAt(batch, kubectl)) answers.set(prerequisite, answer);
  });
  return prerequisites.map(prerequisite => ({ prerequisite, ...answers.get(prerequisite)! }));
}

/** Of one kind in one namespace each. What has a name that no object can have is by itself. */
function batches(prerequisites: Prerequisite[]): Prerequisite[][] {
  const groups = new Map<string, Prerequisite[][]>();
  for (const prerequisite of prerequisites) {
    const { kind, apiVersion, namespace = '' } = prerequisite;
    const key = [kind, apiVersion, namespace].join('\n');
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    const last = group[group.length - 1];
    if (last && last.length < NAMES_AT_ONCE) last.push(prerequisite);
    else group.push([prerequisite]);
  }
  return [...groups.values()].flat();
}

async function lookAt(batch: Prerequisite[], kubectl: Kubectl): Promise<[Prerequisite, Answer][]> {
  const askable = batch.filter(isAskable);
  const refused = batch.filter(each => !isAskable(each)).map((each): [Prerequisite, Answer] => [each, { presence: 'unknown', detail: 'no object can have that name' }]);
  try {
    return askable.length === 0 ? refused : [...refused, ...await answersOf(askable, kubectl)];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const answer: Answer = /(doesn't have a resource type|could not find the requested resource|NotFound)/.test(error.message)
      ? { presence: 'missing', detail: askable[0].kind === API ? undefined : 'its API is not served' }
      : { presence: 'unknown', detail: error.message.replace(/^.*kubectl cannot read the cluster: /, '') };
    return [...refused, ...askable.map((each): [Prerequisite, Answer] => [each, answer])];
  }
}

async function answersOf(batch: Prerequisite[], kubectl: Kubectl): Promise<[Prerequisite, Answer][]> {
  const [{ kind, apiVersion }] = batch;
  const all = (judge: (each: Prerequisite) => Answer) => batch.map((each): [Prerequisite, Answer] => [each, judge(each)]);
  if (kind === ARGO_CD_CLUSTER) return all(() => ({ presence: 'unsure', detail: 'is in a Secret of Argo CD, and the doctor reads none' }));
  if (kind === OPERATOR) {
    const deployments = pickList(JSON.parse(await kubectl('get', 'deployments', '--all-namespaces', '--output=json')), 'items');
    return all(({ name }) => operatorAmong(deployments, name));
  }
  if (kind === API) {
    const resources = pickList(JSON.parse(await kubectl('get', `--raw=/apis/${apiVersion}`)), 'resources');
    return all(({ name }) => resources.some(resource => pickText(resource, 'kind') === name) ? OK : MISSING);
  }
  if (kind === 'Namespace') {
    const namespaces = new Map(pickList(JSON.parse(await kubectl('get', 'namespaces', '--output=json')), 'items').map(each => [pickText(each, 'metadata.name'), each]));
    return all(({ name, labels }) => namespaces.has(name) ? labelled(pickRecord(namespaces.get(name), 'metadata.labels'), labels) : MISSING);
  }
  if (kind === 'StorageClass' && batch.some(({ name }) => name === DEFAULT_STORAGE_CLASS)) {
    const classes = pickList(JSON.parse(await kubectl('get', 'storageclasses', '--output=json')), 'items');
    return all(({ name }) => classes.some(each => name === DEFAULT_STORAGE_CLASS
      ? pickRecord(each, 'metadata.annotations')[IS_DEFAULT] === 'true' : pickText(each, 'metadata.name') === name) ? OK : MISSING);
  }
  const names = await namesOf(batch, kubectl);
  return all(({ name }) => names.has(name) ? OK : MISSING);
}

async function namesOf([first, ...others]: Prerequisite[], kubectl: Kubectl): Promise<Set<string>> {
  const { apiVersion, kind, namespace } = first;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const text = await kubectl('get', group === '' ? kind : `${kind}.${version}.${group}`, ...[first, ...others].map(({ name }) => name),
    ...(namespace === undefined ? [] : [`--namespace=${namespace}`]), '--ignore-not-found', '--no-headers');
  return new Set(text.split('\n').map(line => line.split(/\s/)[0]));
}

/** What the manifests say reaches kubectl as arguments. */
function isAskable({ kind, apiVersion, namespace = 'default', name }: Prerequisite): boolean {
  if (kind === OPERATOR || kind === ARGO_CD_CLUSTER) return true;
  const isName = (text: string) => /^[A-Za-z0-9]([\w.:-]{0,252})$/.test(text);
  return /^[A-Za-z]\w*$/.test(kind) && /^([a-z0-9.-]+\/)?v\w+$/.test(apiVersion) && isName(namespace) && (isName(name) || name === DEFAULT_STORAGE_CLASS);
}

/** A namespace without a level admits what its cluster admits, which is everything unless its administrator says otherwise. */
function labelled(labels: Record<string, unknown>, wanted: Prerequisite['labels'] = {}): Answer {
  const lacking = Object.entries(wanted).filter(([name, value]) => labels[name] !== value && !(name === POD_SECURITY && labels[name] === undefined));
  return lacking.length === 0 ? OK : { presence: 'wrong', detail: `lacks ${lacking.map(([name, value]) => `${name}=${value}`).join(', ')}` };
}

function operatorAmong(deployments: unknown[], name: string): Answer {
  const images = (deployment: unknown) => pickList(deployment, 'spec.template.spec.containers').map(container => pickText(container, 'image') ?? '');
  const running = deployments.filter(deployment => images(deployment).some(image => isImageOf(name, image)));
  if (running.some(deployment => Number(pick(deployment, 'status.readyReplicas') ?? 0) > 0)) return OK;
  if (running.length > 0) {
    const [{ namespace, name: of }] = running.map(deployment => ({ namespace: pickText(deployment, 'metadata.namespace'), name: pickText(deployment, 'metadata.name') }));
    return { presence: 'wrong', detail: `has no ready pod: Deployment ${namespace}/${of}` };
  }
  return { presence: 'unsure', detail: 'no Deployment runs an image that is known as its own' };
}
