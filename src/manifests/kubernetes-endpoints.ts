import { Field, pick, pickList, pickRecord, pickText, pickTexts } from './fields';
import { Source } from './source';

/** What an object says of the endpoints of the Service `kubernetes` of a tenant: Endpoints or an EndpointSlice. */
export interface KubernetesEndpoints {
  readonly source: Source;
  readonly addresses: Field<string>[];
  readonly ports: Field<number>[];
  /** Of a slice: `IPv4` or `IPv6`. */
  readonly addressType?: Field<string>;
}

/** Undefined for objects that are something else. */
export function kubernetesEndpointsOf(source: Source): KubernetesEndpoints | undefined {
  const { object, kind } = source;
  if (source.namespace !== 'default') return undefined;
  if (kind === 'Endpoints' && source.name === 'kubernetes') {
    const subsets = pickList(object, 'subsets');
    return {
      source,
      addresses: subsets.flatMap((subset, i) => pickList(subset, 'addresses').map((address, j) =>
        ({ value: String(pickText(address, 'ip')), path: `subsets[${i}].addresses[${j}].ip` }))),
      ports: subsets.flatMap((subset, i) => portsOf(subset, `subsets[${i}].`)),
    };
  }
  if (kind !== 'EndpointSlice' || pickRecord(object, 'metadata.labels')['kubernetes.io/service-name'] !== 'kubernetes') return undefined;
  const addressType = pickText(object, 'addressType');
  return {
    source,
    addresses: pickList(object, 'endpoints').flatMap((endpoint, i) => pickTexts(endpoint, 'addresses').map((value, j) =>
      ({ value, path: `endpoints[${i}].addresses[${j}]` }))),
    ports: portsOf(object, ''),
    addressType: addressType === undefined ? undefined : { value: addressType, path: 'addressType' },
  };
}

function portsOf(object: unknown, path: string): Field<number>[] {
  return pickList(object, 'ports').flatMap((item, i) => {
    const port = pick(item, 'port');
    return typeof port === 'number' ? [{ value: port, path: `${path}ports[${i}].port` }] : [];
  });
}
