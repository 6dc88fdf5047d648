/** What is called by the library, or takes what was read, not what a user writes: by the name of the entry. */
export const NOT_TRIED: readonly [entry: RegExp, why: string][] = [
  [/^SynthesizedPlatform[.#]/, 'reads manifests in users\' tests'],
  [/^\w*Platform#/, 'is overridden by users and called by the library'],
  [/^\w*Controller#/, 'is overridden by users and called by the library'],
  [/^new \w+(Controller|Platform)$/, 'is what the factory of the same name calls, with the same properties'],
  [/^PassthroughGateway#controllerProps$/, 'is what asController() calls'],
  [/^DnsOutput#writeFiles$/, 'writes files'],
];

/** What has no base that is valid: by entry and path. */
export const WITHOUT_BASE: readonly [slot: RegExp, why: string][] = [
  [/^IngressExposedControlPlane\.fromAttributes [01]$/, 'scope and id, as every construct has them'],
  [/resources(\.(apiServer|controllerManager|scheduler|kine))?\.claims/, 'pods of this library claim no resources of their own: any is an error or without effect'],
];
