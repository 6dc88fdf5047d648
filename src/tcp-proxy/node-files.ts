import { Yaml } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { podAnnotations, PodOptions, podSpec } from './pod';

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
export function staticPodFiles(options: PodOptions, namespace: string): NodeFile[] {
  const folders = options.placement._nodeFolders;
  if (!folders) {
    return [];
  }
  const pod = k8s.KubePod.manifest({
    metadata: { name: options.name, namespace, labels: options.podLabels, annotations: podAnnotations(options) },
    spec: podSpec(options),
  });
  return [
    { path: `${folders.configFolder}/haproxy.cfg`, mode: '0644', content: options.haproxyConfig },
    // The manifest comes last: the kubelet starts the pod as soon as it sees it.
    { path: `${folders.manifestFolder}/${options.name}.yaml`, mode: '0600', content: Yaml.stringify(pod) },
  ];
}
