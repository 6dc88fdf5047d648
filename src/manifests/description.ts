/** Where a custom resource describes itself to whoever reads manifests: JSON, as `Description`. */
export const DESCRIPTION_ANNOTATION = 'cdk8s-hosted-control-plane/description';

/** Form of the description; readers refuse others. */
export const DESCRIPTION_VERSION = 1;

/**
 * Where a custom resource of your own has what the doctor and `SynthesizedPlatform` compare: paths such as `spec.endpoint.host`
 * or, with an index into a list, `spec.servers.0.host`.
 *
 * What a path leads to is read as it is in the manifests, also after patches. A path that leads to something else than it says, or
 * one of a host that leads to nothing, is a finding.
 */
export interface ResourcePaths {
  /**
   * Text: host of the API, or `host:port`.
   * @default - the host of the exposure
   */
  readonly apiHost?: string;
  /**
   * Text: host that konnectivity agents dial, or `host:port`.
   * @default - the host of the exposure
   */
  readonly konnectivityHost?: string;
  /**
   * List of texts: names and addresses that the API server's certificate is to carry.
   * @default - not compared
   */
  readonly certSans?: string;
  /**
   * List of arguments of the API server, `--flag=value`, or a map from flags without dashes to values.
   * @default - not compared
   */
  readonly apiServerArgs?: string;
  /**
   * Text: the address that the API server advertises in `default/kubernetes`.
   * @default - not compared
   */
  readonly advertiseAddress?: string;
  /**
   * List of arguments of the konnectivity agents.
   * @default - not compared
   */
  readonly konnectivityAgentArgs?: string;
}

/** A public endpoint of a described control plane, and where it must lead. */
export interface DescribedRoute {
  /** As `exposure.routes` names it. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly namespace: string;
  readonly service: string;
  readonly servicePort: number;
  /** The operator makes it. */
  readonly byOperator?: boolean;
  /** It is reached at an address of its own, not at the shared one. */
  readonly ownAddress?: boolean;
}

/** What a custom resource of a kind that is not known here says of itself. */
export interface Description {
  readonly version: number;
  /** How messages name the system. */
  readonly platform: string;
  /** That of the API server among them. */
  readonly routes: DescribedRoute[];
  /** The operator runs a tcp-proxy in the tenant. */
  readonly bringsTcpProxy?: boolean;
  readonly paths?: ResourcePaths;
}

/** Keys of `paths` with what they have to lead to. */
export const PATH_TYPES: { readonly [key in keyof Required<ResourcePaths>]: 'host' | 'text' | 'texts' | 'args' } = {
  apiHost: 'host',
  konnectivityHost: 'host',
  certSans: 'texts',
  apiServerArgs: 'args',
  advertiseAddress: 'text',
  konnectivityAgentArgs: 'texts',
};
