import { Json } from '../code/expression';
import { withDefaults } from '../defaults/defaults';
import { at, isRecord, own } from '../json';

/** Annotations of kubectl: they say who wrote an object, and how. */
export const WRITERS_ANNOTATIONS = ['kubectl.kubernetes.io/last-applied-configuration'];

/** What of an object somebody has decided: its labels, annotations and spec, with what an API server fills in. */
export function comparable(object: Json): { readonly [key: string]: Json } {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const metadata = ['labels', 'annotations'].flatMap(field => {
    const value = at(object, `metadata.${field}`);
    const entries = isRecord(value) ? Object.entries(value).filter(([key]) => !WRITERS_ANNOTATIONS.includes(key)) : [];
    return entries.length === 0 ? [] : [[field, Object.fromEntries(entries)] as const];
  });
  return {
    metadata: Object.fromEntries(metadata),
    spec: settled(withDefaults(`${apiVersion} ${kind}`, withoutOperators(kind, own(object, 'spec') ?? {}))),
  };
}

/** Kamaji's provider for Cluster API writes the address of a control plane into its spec, as Cluster API wants it. */
function withoutOperators(kind: string, spec: Json): Json {
  if (kind !== 'KamajiControlPlane' || !isRecord(spec)) return spec;
  const { controlPlaneEndpoint: _, ...rest } = spec;
  return rest;
}

/** One way of writing for what can be written in two. */
function settled(spec: Json): Json {
  if (!isRecord(spec)) return spec;
  const [profile, version] = [own(spec, 'networkProfile'), own(spec, 'version')];
  return {
    ...spec,
    ...isRecord(profile) ? { networkProfile: [['serviceCidr', 'serviceCidrs'], ['podCidr', 'podCidrs']].reduce(oneField, profile) } : {},
    ...typeof version === 'string' ? { version: k0sVersion(version) } : {},
  };
}

/** k0smotron makes one tag of images of v1.34.3, v1.34.3-k0s.0 and v1.34.3+k0s.0. */
function k0sVersion(version: string): string {
  const match = /^v?(\d+\.\d+\.\d+)(?:[+-]k0s\.(\d+))?$/.exec(version);
  return match ? `v${match[1]}+k0s.${match[2] ?? '0'}` : version;
}

/** Kamaji's webhook writes networks into two fields, of which the list says all. */
function oneField(profile: { readonly [key: string]: Json }, [single, several]: string[]): { readonly [key: string]: Json } {
  const list = own(profile, several);
  if (!Array.isArray(list) || list.length === 0) return profile;
  const rest = Object.entries(profile).filter(([key]) => key !== single && key !== several);
  return Object.fromEntries([...rest, list.length > 1 ? [several, list] : [single, list[0]]]);
}
