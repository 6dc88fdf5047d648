import { ApiObject } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { CLOUDFLARED, cloudflaredConfig } from './cloudflare-tunnel-config';
import { validateFileName } from './file-name';
import { A_TENANT_DNS, TenantDns } from './tenant-dns';
import { warnOfFloatingImage } from '../agent/image';
import { contentHash } from '../model/content-hash';
import { configMapManifest, deploymentManifest, disruptionBudgetManifest } from '../objects/kubernetes';
import { Plain, plain } from '../objects/plain';
import { ManagementCluster } from '../synthesis/management-cluster';
import { claimObjects } from '../synthesis/object-claims';
import { validateAddressOrName } from '../validation/address';
import { validateAnnotations } from '../validation/annotations';
import { validateImageReference } from '../validation/image-reference';
import { invalidInput, placed } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, listOf, optional, struct } from '../validation/props';
import { validateResources } from '../validation/quantity';
import { required } from '../validation/required';
import { validateToleration } from '../validation/scheduling';
import { wholeNumber } from '../validation/whole-number';

const USER = 65532;

/** A ConfigMap with the CA certificates of tenants. */
export interface CaBundle {
  /** Name of the ConfigMap, in the namespace of the tunnel. It must hold certificates alone, never a CA's key. */
  readonly configMapName: string;
  /**
   * Its key: PEM certificates, one after the other.
   * @default ca.crt
   */
  readonly key?: string;
}

/** A Cloudflare Tunnel to the shared address. */
export interface CloudflareTunnelProps {
  /** The names, with `DnsTarget.cloudflareTunnel`. */
  readonly dns: TenantDns;
  /** Namespace of cloudflared. */
  readonly namespace: string;
  /**
   * Name of the objects.
   * @default - the construct's id
   */
  readonly name?: string;
  /** Address or DNS name at which cloudflared reaches the ingress controller, e.g. `traefik.traefik.svc`. The ports are those of the routes. */
  readonly ingressHost: string;
  /** Secret with the tunnel's credentials file, as `cloudflared tunnel create` writes it. */
  readonly credentialsSecretName: string;
  /**
   * Key of the credentials file.
   * @default credentials.json
   */
  readonly credentialsKey?: string;
  /** Image of cloudflared with a version. Cloudflare supports a version for a year, so there is no default. */
  readonly image: string;
  /**
   * Let Cloudflare open the TLS of API hosts, so that `kubectl` needs no helper. The CA certificates verify the API servers.
   * Client certificates are lost, so that users need tokens and kubelets cannot join this way. Hosts of konnectivity and
   * of further services stay TCP.
   * @default - TLS stays closed end to end; clients run `cloudflared access tcp`
   */
  readonly openApiTls?: CaBundle;
  /**
   * Number of pods.
   * @default 2
   */
  readonly replicas?: number;
  /**
   * Pull secrets.
   * @default - none
   */
  readonly imagePullSecrets?: string[];
  /**
   * Resources of cloudflared.
   * @default - requests 50m CPU and 64Mi, limit 256Mi
   */
  readonly resources?: k8s.ResourceRequirements;
  /**
   * Tolerations.
   * @default - none
   */
  readonly tolerations?: k8s.Toleration[];
  /**
   * Node selector.
   * @default - Linux nodes
   */
  readonly nodeSelector?: { [name: string]: string };
  /**
   * Priority class.
   * @default - none
   */
  readonly priorityClassName?: string;
  /**
   * Labels for every object.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
  /**
   * Further labels of the pods.
   * @default - none
   */
  readonly podLabels?: { [name: string]: string };
  /**
   * Further annotations of the pods.
   * @default - none
   */
  readonly podAnnotations?: { [name: string]: string };
}

const CHECKS: Checks<CloudflareTunnelProps> = {
  dns: A_TENANT_DNS,
  namespace: validateDns1123Label,
  name: optional(validateDns1123Label),
  ingressHost: validateAddressOrName,
  credentialsSecretName: validateObjectName,
  credentialsKey: optional(validateFileName),
  image: validateImageReference,
  openApiTls: optional(struct<CaBundle>({ configMapName: validateObjectName, key: optional(validateFileName) })),
  replicas: optional(wholeNumber('pods', 1)),
  imagePullSecrets: optional(listOf(validateObjectName)),
  resources: optional(validateResources),
  tolerations: optional(listOf(validateToleration)),
  nodeSelector: optional(validateLabels),
  priorityClassName: optional(validateObjectName),
  labels: optional(validateLabels),
  podLabels: optional(validateLabels),
  podAnnotations: optional(validateAnnotations),
};

/**
 * cloudflared with a configuration for the tenants' names: a way in without a public address. The records are made with
 * `DnsOutput.cloudflare()` or `ExternalDnsEndpoint`.
 */
export class CloudflareTunnel extends Construct {
  /** cloudflared's configuration file. */
  public readonly config: string;
  /** The ConfigMap with the configuration. */
  public readonly configMap: ApiObject;
  /** The Deployment. */
  public readonly workload: ApiObject;

  public constructor(scope: Construct, id: string, props: CloudflareTunnelProps) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give dns, namespace, ingressHost, credentialsSecretName and image'), CHECKS);
      requireTunnel(props.dns);
      const name = validateDns1123Label('name', props.name ?? id);
      const { namespace } = props;
      const replicas = props.replicas ?? 2;
      warnOfFloatingImage(this, props.image);

      this.config = cloudflaredConfig({
        dns: props.dns,
        ingressHost: props.ingressHost,
        opensApiTls: props.openApiTls !== undefined,
        credentialsKey: props.credentialsKey ?? 'credentials.json',
        caKey: props.openApiTls?.key ?? 'ca.crt',
      });

      const selectorLabels = { 'app.kubernetes.io/name': 'cloudflared', 'app.kubernetes.io/instance': name };
      const metadata = { name, namespace, labels: { ...props.labels, ...selectorLabels } };
      this.configMap = new ApiObject(this, 'config', configMapManifest({ metadata, data: { 'config.yaml': this.config } }));
      this.workload = new ApiObject(this, 'workload', deploymentManifest({
        metadata,
        spec: {
          replicas,
          selector: { matchLabels: selectorLabels },
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
          template: {
            metadata: {
              labels: { ...props.podLabels, ...selectorLabels },
              // cloudflared reads its configuration once.
              annotations: { ...props.podAnnotations, 'checksum/config': contentHash(this.config) },
            },
            spec: podSpec(name, selectorLabels, props),
          },
        },
      }));
      if (replicas > 1) {
        new ApiObject(this, 'disruption-budget', disruptionBudgetManifest({
          metadata,
          spec: { maxUnavailable: 1, selector: { matchLabels: selectorLabels } },
        }));
      }
      claimObjects(this, ManagementCluster.of(this).name);
    } catch (error) {
      throw placed(this, error);
    }
  }
}

function requireTunnel({ target }: TenantDns): void {
  if (target.tunnelId === undefined) {
    throw invalidInput('dns.target', target.canonical ?? [...target.ipv4, ...target.ipv6], 'is not a Cloudflare Tunnel',
      'Give a TenantDns with DnsTarget.cloudflareTunnel');
  }
}

function podSpec(name: string, selectorLabels: { [name: string]: string }, props: CloudflareTunnelProps): Plain<k8s.PodSpec> {
  const { configFolder, credentialsFolder, caFolder } = CLOUDFLARED;
  const folders: [Plain<k8s.Volume>, string][] = [
    [{ name: 'config', configMap: { name } }, configFolder],
    [{ name: 'credentials', secret: { secretName: props.credentialsSecretName, defaultMode: 0o440 } }, credentialsFolder],
    ...(props.openApiTls ? [[{ name: 'ca', configMap: { name: props.openApiTls.configMapName } }, caFolder] as [Plain<k8s.Volume>, string]] : []),
  ];
  return {
    priorityClassName: props.priorityClassName,
    nodeSelector: props.nodeSelector ?? { 'kubernetes.io/os': 'linux' },
    tolerations: plain(props.tolerations),
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: selectorLabels } },
    ],
    imagePullSecrets: props.imagePullSecrets?.map(secret => ({ name: secret })),
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // cloudflared lets open connections go on for 30 s.
    terminationGracePeriodSeconds: 40,
    securityContext: { runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, fsGroup: USER, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [{
      name: 'cloudflared',
      image: props.image,
      args: ['tunnel', '--config', `${configFolder}/config.yaml`, 'run'],
      ports: [{ name: 'metrics', containerPort: CLOUDFLARED.metricsPort, protocol: 'TCP' }],
      // Ready means connected to Cloudflare; a restart would not help when Cloudflare is out of reach.
      readinessProbe: httpProbe('/ready', 10, 3),
      livenessProbe: httpProbe('/healthcheck', 10, 3),
      resources: plain(props.resources) ?? {
        requests: { cpu: '50m', memory: '64Mi' },
        limits: { memory: '256Mi' },
      },
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      volumeMounts: folders.map(([volume, mountPath]) => ({ name: volume.name, mountPath, readOnly: true })),
    }],
    volumes: folders.map(([volume]) => volume),
  };
}

function httpProbe(path: string, periodSeconds: number, failureThreshold: number): Plain<k8s.Probe> {
  return { httpGet: { path, port: 'metrics' }, periodSeconds, failureThreshold, timeoutSeconds: 3 };
}
