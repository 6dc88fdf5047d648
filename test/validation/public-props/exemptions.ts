/** What is called by the library, or takes what was read, not what a user writes: by the name of the entry. */
export const NOT_TRIED: readonly [entry: RegExp, why: string][] = [
  [/^SynthesizedPlatform[.#]/, 'reads manifests in users\' tests'],
  [/^ControlPlanePlatform#/, 'is overridden by users and called by the library'],
  [/^IngressController#/, 'is overridden by users and called by the library'],
  [/^DnsOutput#writeFiles$/, 'writes files'],
];

/** What has no base that is valid: by entry and path. */
export const WITHOUT_BASE: readonly [slot: RegExp, why: string][] = [
  [/resources(\.(apiServer|controllerManager|scheduler|kine))?\.claims/, 'pods of this library claim no resources of their own: any is an error or without effect'],
];

const POD = 'image|imagePullPolicy|imagePullSecrets|logLevel|resources|tolerations|nodeSelector|affinity|priorityClassName|podAnnotations|podLabels|labels|annotations';

/** What is not checked yet: the pods of the image, whose three constructs get one set of properties and checks. */
export const PENDING: readonly [slot: RegExp, why: string][] = [
  [new RegExp(`^(TenantDelivery\\.sync|new SharedIngressGateway|new TcpProxyAddon) 0\\.(${POD})(\\.|$)`), 'see AgentWorkload'],
];
