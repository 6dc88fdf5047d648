import { Endpoint } from '../model/endpoint';

const HOST = 'KUBERNETES_SERVICE_HOST';
const PORT = 'KUBERNETES_SERVICE_PORT';

/** One mutation of a MutatingAdmissionPolicy. */
export interface JsonPatchMutation {
  readonly patchType: 'JSONPatch';
  readonly jsonPatch: { readonly expression: string };
}

/**
 * The mutations that lead the containers and the init containers of a pod to an endpoint.
 *
 * A container that has one of the two variables is left as it is: a port of its own belongs to a host of its own, and the
 * other way round. It also makes a second run change nothing.
 */
export function endpointMutations(endpoint: Endpoint): JsonPatchMutation[] {
  return ['containers', 'initContainers'].map(field => ({
    patchType: 'JSONPatch',
    jsonPatch: { expression: patchesOf(field, endpoint) },
  }));
}

/**
 * The variables come first, so that others can refer to them as `$(KUBERNETES_SERVICE_HOST)` and mean the same: the
 * kubelet resolves references to what stands before.
 */
function patchesOf(field: string, { host, port }: Endpoint): string {
  const list = `object.spec.${field}`;
  const containers = `(has(${list}) ? ${list} : [])`;
  const unset = `${containers}.filter(c, !has(c.env) || !c.env.exists(e, e.name in ["${HOST}", "${PORT}"]))`;
  // The names of containers are unique in their list.
  const path = `"/spec/${field}/" + string(${containers}.map(o, o.name).indexOf(c.name)) + "/env`;
  const variable = (name: string, value: string) =>
    `${unset}.map(c, JSONPatch{op: "add", path: ${path}/0", value: Object.spec.${field}.env{name: "${name}", value: "${value}"}})`;
  return [
    `${unset}.filter(c, !has(c.env)).map(c, JSONPatch{op: "add", path: ${path}", value: []})`,
    variable(PORT, String(port)),
    variable(HOST, host),
  ].join(' +\n');
}
