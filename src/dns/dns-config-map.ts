import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { DnsOutput } from './dns-output';
import { A_TENANT_DNS, TenantDns } from './tenant-dns';
import { configMapManifest } from '../objects/kubernetes';
import { ManagementCluster } from '../synthesis/management-cluster';
import { claimObjects } from '../synthesis/object-claims';
import { invalidInput, placed } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { Checks, checkProps, instance, optional } from '../validation/props';
import { required } from '../validation/required';

/** Kubernetes' limit for a ConfigMap, in bytes. */
const MAX_BYTES = 1_048_576;

/** A ConfigMap with the files of an output. */
export interface DnsConfigMapProps {
  /** The names. */
  readonly dns: TenantDns;
  /** How they are written, e.g. `DnsOutput.coreDns()`. */
  readonly output: DnsOutput;
  /** Namespace of the ConfigMap. */
  readonly namespace: string;
  /**
   * Name of the ConfigMap, e.g. `coredns-custom`.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * Labels.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

const CHECKS: Checks<DnsConfigMapProps> = {
  dns: A_TENANT_DNS,
  output: instance<DnsOutput>('Give one, e.g. DnsOutput.coreDns()', 'files'),
  namespace: validateDns1123Label,
  name: optional(validateDns1123Label),
  labels: optional(validateLabels),
};

/** The files of an output as a ConfigMap, for a DNS server that runs in a cluster. Its keys are the file names. */
export class DnsConfigMap extends Construct {
  /** The ConfigMap. */
  public readonly configMap: ApiObject;

  public constructor(scope: Construct, id: string, props: DnsConfigMapProps) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give dns, output and namespace'), CHECKS);
      const files = props.output.files(props.dns);
      const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      if (bytes > MAX_BYTES) {
        throw invalidInput('output', files.map(({ name }) => name), `has ${bytes} bytes; a ConfigMap holds ${MAX_BYTES}`,
          'Use wildcardDomains, or a TenantDns for each part of the tenants');
      }
      this.configMap = new ApiObject(this, 'config-map', configMapManifest({
        metadata: {
          name: validateDns1123Label('name', props.name ?? id),
          namespace: validateDns1123Label('namespace', props.namespace),
          labels: props.labels && validateLabels('labels', props.labels),
        },
        data: Object.fromEntries(files.map(({ name, text }) => [name, text])),
      }));
      claimObjects(this, ManagementCluster.of(this).name);
    } catch (error) {
      throw placed(this, error);
    }
  }
}
