import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { isProxied } from './cloudflare';
import { A_TENANT_DNS, TenantDns } from './tenant-dns';
import { DnsEndpoint, DnsEndpointSpecEndpoints } from '../imports/externaldns.k8s.io';
import { ManagementCluster } from '../synthesis/management-cluster';
import { claimObjects } from '../synthesis/object-claims';
import { validateAnnotations } from '../validation/annotations';
import { nameFactories } from '../validation/factories';
import { invalidInput, placed } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { Checks, checkProps, optional } from '../validation/props';
import { required } from '../validation/required';

const PREFIX = 'external-dns.alpha.kubernetes.io';
/** Kubernetes' limit for all annotations of an object, in bytes. */
const MAX_ANNOTATION_BYTES = 262_144;
/** etcd takes objects of 1.5 MiB; an endpoint has at most 600 bytes. */
const ENDPOINTS_PER_OBJECT = 2000;

/** DNSEndpoints of external-dns. */
export interface ExternalDnsEndpointProps {
  /** The names. */
  readonly dns: TenantDns;
  /** Namespace of the DNSEndpoints; external-dns must watch it. */
  readonly namespace: string;
  /**
   * Name of the DNSEndpoint; where there are more than 2,000 records, further ones have `-2`, `-3` … at the end.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * Labels.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
  /**
   * Annotations, e.g. for external-dns' `--annotation-filter`.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
}

const CHECKS: Checks<ExternalDnsEndpointProps> = {
  dns: A_TENANT_DNS,
  namespace: validateDns1123Label,
  name: optional(validateDns1123Label),
  labels: optional(validateLabels),
  annotations: optional(validateAnnotations),
};

/** The records as DNSEndpoints, for external-dns with `--source=crd`. Names of a Cloudflare Tunnel are proxied. */
export class ExternalDnsEndpoint extends Construct {
  /**
   * Annotations of a Service, Ingress or Gateway that have external-dns make the records. The addresses are those of the
   * target, or of the object's status with `DnsTarget.annotatedObject()`.
   *
   * @throws on additional names, whose target is another one, and when the names are too long for annotations
   */
  public static annotations(dns: TenantDns): { [name: string]: string } {
    A_TENANT_DNS('dns', dns);
    const other = dns.names.find(name => dns._tree.get(name) !== dns.target);
    if (other !== undefined) {
      throw invalidInput('additionalNames', other, 'has a target of its own, but annotations hold one target for all names', 'Use ExternalDnsEndpoint');
    }
    const { ipv4, ipv6, canonical } = dns.target;
    const annotations = {
      [`${PREFIX}/hostname`]: dns.names.join(','),
      [`${PREFIX}/ttl`]: String(dns.ttlSeconds),
      ...dns.target.isKnown && { [`${PREFIX}/target`]: canonical ?? [...ipv4, ...ipv6].join(',') },
      ...isProxied(dns.target) && { [`${PREFIX}/cloudflare-proxied`]: 'true' },
    };
    const bytes = Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
    if (bytes > MAX_ANNOTATION_BYTES) {
      throw invalidInput('names', `${dns.names.length} names`, `need ${bytes} bytes; an object's annotations hold ${MAX_ANNOTATION_BYTES}`,
        'Use wildcardDomains or ExternalDnsEndpoint');
    }
    return annotations;
  }

  /** The DNSEndpoints. */
  public readonly endpointObjects: ApiObject[];

  public constructor(scope: Construct, id: string, props: ExternalDnsEndpointProps) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give dns and namespace'), CHECKS);
      const { dns, namespace, labels, annotations } = props;
      if (!dns.target.isKnown) {
        throw invalidInput('dns.target', undefined, 'holds no address for a DNSEndpoint', 'Use ExternalDnsEndpoint.annotations, or DnsTarget.addresses');
      }
      const name = validateDns1123Label('name', props.name ?? id);
      const metadata = { namespace, labels, annotations };
      this.endpointObjects = chunks(endpoints(dns), ENDPOINTS_PER_OBJECT).map((ofObject, i) => {
        const suffix = i === 0 ? '' : `-${i + 1}`;
        return new ApiObject(this, `endpoint${suffix}`, DnsEndpoint.manifest({
          metadata: { ...metadata, name: `${name}${suffix}` },
          spec: { endpoints: ofObject },
        }));
      });
      claimObjects(this, ManagementCluster.of(this).name);
    } catch (error) {
      throw placed(this, error);
    }
  }
}

nameFactories(ExternalDnsEndpoint);

function endpoints(dns: TenantDns): DnsEndpointSpecEndpoints[] {
  return dns.records.map(({ name, type, values, ttlSeconds }) => ({
    dnsName: name,
    recordType: type,
    recordTtl: ttlSeconds,
    targets: values,
    providerSpecific: isProxied(dns._tree.get(name)!) ? [{ name: `${PREFIX}/cloudflare-proxied`, value: 'true' }] : undefined,
  }));
}

function chunks<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
