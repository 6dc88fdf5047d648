import { ApiObject } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-30';
import { Construct, IConstruct } from 'constructs';
import { AGENT_WORKLOAD_CHECKS } from './agent-workload-checks';
import { AgentWorkloadProps } from './agent-workload-props';
import { AgentCommand, environmentVariable, Flags } from './contract/flags';
import { HEALTH_PATHS } from './contract/health';
import { DEFAULT_LOG_LEVEL, LogLevel } from './contract/log-level';
import { MeasuredCommand } from './contract/metrics';
import { StopSettings, terminationGracePeriodSeconds } from './contract/stopping';
import { DEFAULT_TCP_PROXY_IMAGE, warnOfFloatingImage } from './image';
import { operatorObjects } from '../monitoring/operator-objects';
import {
  deploymentManifest, disruptionBudgetManifest, namespaceManifest, roleBindingManifest, serviceManifest, serviceAccountManifest,
} from '../objects/kubernetes';
import { Plain, plain } from '../objects/plain';
import { checkProps } from '../validation/props';

/** User and group of the image. */
const USER = 65532;

/** What every pod of the image runs as. */
const POD_SECURITY_CONTEXT: Plain<k8s.PodSecurityContext> = {
  runAsNonRoot: true,
  runAsUser: USER,
  runAsGroup: USER,
  fsGroup: USER,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** What a container of the image may do: the profile `restricted` of Pod Security, and no writing to its image. */
export const CONTAINER_SECURITY_CONTEXT: Plain<k8s.SecurityContext> = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** The container's port of the agent's HTTP server. */
const HEALTH_PORT_NAME = 'health';

/** Texts as keys and values, e.g. labels. */
export interface Texts {
  readonly [key: string]: string;
}

/** One use of the image. */
export interface AgentUse {
  /** What its containers that serve run. */
  readonly command: MeasuredCommand;
  /** What it is: the label `app.kubernetes.io/name`, e.g. `tcp-proxy`. */
  readonly app: string;
  /** Name and namespace of its objects. */
  readonly name: string;
  readonly namespace: string;
  /** What its user may leave out. */
  readonly defaults: AgentDefaults;
}

/** What the uses have different defaults of. */
export interface AgentDefaults {
  readonly resources: Plain<k8s.ResourceRequirements>;
  readonly priorityClassName?: string;
  readonly tolerations?: Plain<k8s.Toleration>[];
}

/** A volume and where the container has it. */
export interface AgentMount {
  readonly volume: Plain<k8s.Volume>;
  readonly mountPath: string;
  /** @default false */
  readonly writable?: boolean;
}

/** What a pod has that the pods of other uses have not. */
export interface AgentPod {
  /** Name of the container. */
  readonly container: string;
  readonly args: string[];
  readonly env?: Plain<k8s.EnvVar>[];
  readonly ports?: Plain<k8s.ContainerPort>[];
  readonly healthPort: number;
  readonly mounts: AgentMount[];
  /** Whether it may take a minute until it lives, e.g. to read the routes of thousands of tenants. */
  readonly startsSlowly?: boolean;
  /** Whether it asks the API of its cluster, as the ServiceAccount of the use's name. */
  readonly asksApi?: boolean;
  /** How it stops, where it has connections. @default - within what Kubernetes gives every pod */
  readonly stop?: StopSettings;
  /** Labels of nodes that pods are spread over. */
  readonly spreadOver: string[];
  /** What else the pod has. */
  readonly pod?: Pick<Plain<k8s.PodSpec>, 'hostNetwork' | 'dnsPolicy' | 'hostAliases' | 'serviceAccountName' | 'initContainers'>;
}

/** How many pods there are, and how they are replaced. */
export interface AgentDeployment {
  readonly replicas: number;
  readonly strategy?: Plain<k8s.DeploymentStrategy>;
}

/**
 * The one way to run the image in a cluster: what its users may say, how that is checked, and pods that differ only in what
 * a use says.
 */
export class AgentWorkload {
  /** Name, namespace and labels of the objects. */
  public readonly metadata: { readonly name: string; readonly namespace: string; readonly labels: Texts };
  public readonly selectorLabels: Texts;
  public readonly podLabels: Texts;
  public readonly image: string;
  public readonly resources: Plain<k8s.ResourceRequirements>;
  public readonly logLevel: LogLevel;

  /** @throws InvalidInputError for what the API server would refuse, or what would fail only when the pods start */
  public constructor(private readonly props: AgentWorkloadProps, private readonly use: AgentUse) {
    checkProps('', props, AGENT_WORKLOAD_CHECKS);
    const { app, name, namespace, defaults } = use;
    this.selectorLabels = { 'app.kubernetes.io/name': app, 'app.kubernetes.io/instance': name };
    this.podLabels = { ...props.podLabels, ...this.selectorLabels };
    this.metadata = { name, namespace, labels: { ...props.labels, ...this.selectorLabels } };
    this.image = props.image ?? DEFAULT_TCP_PROXY_IMAGE;
    this.resources = plain(props.resources) ?? defaults.resources;
    this.logLevel = props.logLevel ?? DEFAULT_LOG_LEVEL;
  }

  /** Says what is unwise about the image. */
  public warn(scope: IConstruct): void {
    warnOfFloatingImage(scope, this.image);
  }

  /** The spec of a pod, the same in a Deployment, a DaemonSet and a static pod. */
  private podSpec(pod: AgentPod): Plain<k8s.PodSpec> {
    const { props, use: { name, defaults } } = this;
    return {
      priorityClassName: props.priorityClassName ?? defaults.priorityClassName ?? 'system-cluster-critical',
      nodeSelector: props.nodeSelector ?? { 'kubernetes.io/os': 'linux' },
      affinity: plain(props.affinity),
      tolerations: plain(props.tolerations) ?? defaults.tolerations,
      topologySpreadConstraints: pod.spreadOver.length === 0 ? undefined : pod.spreadOver.map(topologyKey =>
        ({ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: this.selectorLabels } })),
      imagePullSecrets: props.imagePullSecrets?.map(secret => ({ name: secret })),
      serviceAccountName: pod.asksApi ? name : undefined,
      automountServiceAccountToken: pod.asksApi ?? false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: pod.stop && terminationGracePeriodSeconds(pod.stop),
      securityContext: POD_SECURITY_CONTEXT,
      containers: [this.container(pod)],
      volumes: pod.mounts.map(({ volume }) => volume),
      ...pod.pod,
    };
  }

  /** A container of the image beside the one that serves. */
  public sideContainer(name: string, args: string[]): Plain<k8s.Container> {
    return {
      name,
      image: this.image,
      imagePullPolicy: this.props.imagePullPolicy,
      args,
      resources: this.resources,
      securityContext: CONTAINER_SECURITY_CONTEXT,
    };
  }

  /** Labels, annotations and spec of the pods. */
  public podTemplate(pod: AgentPod, annotations: Texts | undefined = this.props.podAnnotations): Plain<k8s.PodTemplateSpec> {
    return { metadata: { labels: this.podLabels, annotations }, spec: this.podSpec(pod) };
  }

  /** Metadata of the Deployment or DaemonSet. */
  public get workloadMetadata(): Plain<k8s.ObjectMeta> {
    return { ...this.metadata, annotations: this.props.annotations };
  }

  /** Emits the Namespace of the use, in which pods run as these do and not otherwise. */
  public addNamespace(scope: Construct): void {
    const { namespace: name, labels } = this.metadata;
    new ApiObject(scope, 'namespace', namespaceManifest({ metadata: { name, labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'restricted' } } }));
  }

  /** Emits the Deployment. */
  public addDeployment(scope: Construct, { replicas, strategy }: AgentDeployment, template: Plain<k8s.PodTemplateSpec>): ApiObject {
    return new ApiObject(scope, 'workload', deploymentManifest({
      metadata: this.workloadMetadata,
      spec: { replicas, selector: { matchLabels: this.selectorLabels }, strategy, template },
    }));
  }

  /** Emits the ServiceAccount, whose token only pods that ask for it get. */
  public addServiceAccount(scope: Construct): void {
    new ApiObject(scope, 'service-account', serviceAccountManifest({ metadata: this.metadata, automountServiceAccountToken: false }));
  }

  /** Emits a RoleBinding that gives the ServiceAccount the Role of its name. */
  public addRoleBinding(scope: Construct, id: string, metadata: Plain<k8s.ObjectMeta> & { readonly name: string }): ApiObject {
    const { name, namespace } = this.metadata;
    return new ApiObject(scope, id, roleBindingManifest({
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    }));
  }

  /** Emits the PodDisruptionBudget. Only evictions ask it; the pods of a DaemonSet are not evicted. */
  public addDisruptionBudget(scope: Construct): void {
    new ApiObject(scope, 'disruption-budget', disruptionBudgetManifest({
      metadata: this.metadata,
      spec: { maxUnavailable: 1, selector: { matchLabels: this.selectorLabels } },
    }));
  }

  /** Emits a headless Service with the metrics, and what its user wants to have Prometheus do with them. */
  public addMonitoring(scope: Construct, id: string, port: number, name = this.metadata.name): void {
    const { metadata, selectorLabels, use: { command }, props: { monitoring } } = this;
    const operator = monitoring?._operator;
    new ApiObject(scope, id, serviceManifest({
      metadata: {
        ...metadata,
        name,
        // By both, a Prometheus that knows them would have each sample twice.
        annotations: operator ? undefined : { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(port), 'prometheus.io/path': HEALTH_PATHS.metrics },
      },
      spec: {
        clusterIP: 'None',
        publishNotReadyAddresses: true,
        selector: selectorLabels,
        ports: [{ name: 'metrics', port, targetPort: HEALTH_PORT_NAME, protocol: 'TCP' }],
      },
    }));
    if (operator) {
      const objects = operatorObjects({ command, metadata, selectorLabels, port: HEALTH_PORT_NAME }, operator);
      Object.entries(objects).forEach(([objectId, manifest]) => new ApiObject(scope, objectId, manifest));
    }
  }

  private container(pod: AgentPod): Plain<k8s.Container> {
    const { healthPort, mounts } = pod;
    return {
      ...this.sideContainer(pod.container, pod.args),
      env: pod.env,
      ports: [...pod.ports ?? [], { name: HEALTH_PORT_NAME, containerPort: healthPort, hostPort: pod.pod?.hostNetwork ? healthPort : undefined, protocol: 'TCP' }],
      startupProbe: pod.startsSlowly ? probe(HEALTH_PATHS.live, 1, 60) : undefined,
      livenessProbe: probe(HEALTH_PATHS.live, 10, 3),
      readinessProbe: probe(HEALTH_PATHS.ready, 5, 2),
      volumeMounts: mounts.map(({ volume: { name }, mountPath, writable }) => ({ name, mountPath, readOnly: writable ? undefined : true })),
    };
  }
}

/** A probe of the agent's HTTP server. */
function probe(path: string, periodSeconds: number, failureThreshold: number): Plain<k8s.Probe> {
  return { httpGet: { path, port: HEALTH_PORT_NAME }, periodSeconds, failureThreshold, timeoutSeconds: 3 };
}

/** The variable of a setting that is a field of the pod. */
export function podField<F extends Flags>(_command: AgentCommand<F>, setting: string & keyof F, fieldPath: string): Plain<k8s.EnvVar> {
  return { name: environmentVariable(setting), valueFrom: { fieldRef: { fieldPath } } };
}

/** A writable folder in memory. */
export function memoryMount(name: string, mountPath: string, sizeLimit: string): AgentMount {
  return { volume: { name, emptyDir: { medium: 'Memory', sizeLimit } }, mountPath, writable: true };
}
