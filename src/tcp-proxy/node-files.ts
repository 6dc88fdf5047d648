import { Yaml } from 'cdk8s';
import { PodOptions, podTemplate } from './pod';
import { CONFIG_FILE } from '../agent/contract/paths';
import { isPlain } from '../objects/deep-copy';
import { podManifest } from '../objects/kubernetes';

/** A file that node provisioning must put in place. */
export interface NodeFile {
  /** Absolute path on the node. */
  readonly path: string;
  /** Mode in octal digits, e.g. `0644`. */
  readonly mode: string;
  /** Content. */
  readonly content: string;
}

/** The files of a static pod; none for the other placements. */
export function staticPodFiles(options: PodOptions): NodeFile[] {
  const folders = options.placement._nodeFolders;
  if (!folders) {
    return [];
  }
  const { name, namespace } = options.workload.metadata;
  const { metadata, spec } = podTemplate(options);
  const pod = podManifest({ metadata: { ...metadata, name, namespace }, spec });
  return [
    { path: `${folders.configFolder}/${CONFIG_FILE}`, mode: '0644', content: options.haproxyConfig },
    // The manifest comes last: the kubelet starts the pod as soon as it sees it.
    { path: `${folders.manifestFolder}/${name}.yaml`, mode: '0600', content: Yaml.stringify(written(pod)) },
  ];
}

/** A manifest as cdk8s writes it: sorted, and without fields that have no value. */
function written(manifest: object): object {
  const sorted = (value: object) => Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
  return JSON.parse(JSON.stringify(manifest, (_, value) => isPlain(value) ? sorted(value) : value));
}
