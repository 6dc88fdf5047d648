import { readFileSync } from 'fs';
import { join } from 'path';
import * as fc from 'fast-check';
import { CRD_FOLDER } from '../../../test/support/crd-schemas';

interface Root {
  /** File with the definition, and its version. */
  readonly file: string;
  readonly version: string;
  /** The dump that the spec is put into. */
  readonly dump: string;
  /** What without which there is no control plane, around any spec. */
  readonly around: (running: any, spec: any) => any;
}

const tenantControlPlane = (running: any, spec: any) => ({
  ...spec,
  controlPlane: { ...spec.controlPlane, service: { ...running.controlPlane.service, ...spec.controlPlane?.service } },
  kubernetes: { ...spec.kubernetes, version: running.kubernetes.version, kubelet: spec.kubernetes?.kubelet ?? {} },
});

/** The definitions of which any spec is made, by what people call the kind. */
export const JSON_SCHEMA_ROOT: { readonly [kind: string]: Root } = {
  'TenantControlPlane of Kamaji': { file: 'kamaji.clastix.io_tenantcontrolplanes', version: 'v1alpha1', dump: 'kamaji-load-balancer', around: tenantControlPlane },
  'TenantControlPlane of Steward': { file: 'steward.butlerlabs.dev_tenantcontrolplanes', version: 'v1alpha1', dump: 'steward-load-balancer', around: tenantControlPlane },
  'KamajiControlPlane': {
    file: 'controlplane.cluster.x-k8s.io_kamajicontrolplanes',
    version: 'v1alpha2',
    dump: 'kamaji-control-plane',
    around: (running, spec) => ({ ...spec, version: running.version }),
  },
  'Cluster of k0smotron': {
    file: 'k0smotron.io_clusters',
    version: 'v1beta2',
    dump: 'k0smotron-cluster',
    // The shared address of the tests has one port.
    around: (running, spec) => ({ ...spec, version: running.version, ...spec.ingress && { ingress: { ...spec.ingress, port: 443 } } }),
  },
  'HostedCluster': {
    file: 'hypershift.openshift.io_hostedclusters',
    version: 'v1beta1',
    dump: 'hosted-cluster',
    around: ({ services, release, pullSecret, platform }, spec) => ({ ...spec, services, release, pullSecret, platform }),
  },
};

/** Any spec that has the fields of the definition, with values of their types: some that the library takes, and many that it does not. */
export function specOf(kind: string): fc.Arbitrary<any> {
  const { file, version } = JSON_SCHEMA_ROOT[kind];
  const { spec: { versions } } = JSON.parse(readFileSync(join(CRD_FOLDER, `${file}.json`), 'utf8'));
  return anyOf(versions.find(({ name }: any) => name === version).schema.openAPIV3Schema.properties.spec, 0);
}

const WORDS = ['a', 'tenant-01', '10.112.0.0/16', '10.36.0.0/16', '192.0.2.1', 'api.example.com', '--v=2', '--etcd-servers=x', '1Gi', '100m', '', 'Exists', 'v1.33.2', 'x y', '\u2028'];

function anyOf(schema: any, depth: number): fc.Arbitrary<any> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema['x-kubernetes-int-or-string']) return fc.oneof(fc.integer({ min: 1, max: 65535 }), fc.constantFrom(...WORDS));
  switch (schema.type) {
    case 'string': return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...WORDS) }, { weight: 1, arbitrary: fc.string() });
    case 'integer': return fc.oneof(fc.integer({ min: 0, max: 65535 }), fc.constantFrom(1, 2, 3, 6443));
    case 'number': return fc.integer();
    case 'boolean': return fc.boolean();
    case 'array': return fc.array(anyOf(schema.items, depth + 1), { maxLength: 3 });
    default: return anyObject(schema, depth);
  }
}

function anyObject({ properties, additionalProperties, required = [] }: any, depth: number): fc.Arbitrary<any> {
  if (!properties) {
    const value = additionalProperties?.type ? anyOf(additionalProperties, depth + 1) : fc.constantFrom(...WORDS);
    return fc.dictionary(fc.constantFrom('a', 'example.com/b', 'cpu', '__proto__'), value, { maxKeys: 2 });
  }
  const names = Object.keys(properties);
  // A few fields of each object: all at once would be large, and hide each other.
  return fc.subarray(names, { maxLength: Math.min(names.length, depth > 3 ? 2 : 5) }).chain(chosen => {
    const all = [...new Set([...required, ...chosen])];
    return fc.record(Object.fromEntries(all.map(name => [name, anyOf(properties[name] ?? {}, depth + 1)])));
  });
}
