import { WorkerFile, HetznerWorkerPoolProps } from './worker-pool-props';
import { K0sWorkerConfigTemplate, K0sWorkerConfigTemplateV1Beta1 } from '../../imports/bootstrap.cluster.x-k8s.io';
import { validateArgs } from '../../platforms/component-args';
import { K0sVersion } from '../../platforms/k0smotron/k0s-version';
import { K0smotronApiVersion } from '../../platforms/k0smotron/k0smotron-props';
import { listUnlessEmpty } from '../../platforms/tenant-control-plane/tenant-control-plane-spec';
import { invalidInput } from '../../validation/invalid-input';

/** Nodes wait for a cloud controller manager, which tells them their addresses and their server. */
const CLOUD_PROVIDER_ARGS = ['--enable-cloud-provider', '--kubelet-extra-args=--cloud-provider=external'];
/** Files that k0smotron writes itself. */
const MANAGED_FILE = /^\/etc\/(k0s\.token$|haproxy\/certs\/)/;

/** The spec of a K0sWorkerConfigTemplate. */
export function workerConfigSpec(props: HetznerWorkerPoolProps, k0sVersion: K0sVersion, apiVersion: K0smotronApiVersion): any {
  validateArgs('workers.args', props.args, { 'token-file': 'Leave it out', 'hostname-override': 'Leave it out' }, 'is set by k0smotron');
  validateFiles(props.files ?? []);
  const common = {
    version: k0sVersion.toString(),
    args: [...CLOUD_PROVIDER_ARGS, ...props.args ?? []],
    files: listUnlessEmpty(props.files?.map(file => ({
      path: file.path,
      content: file.content,
      permissions: file.permissions ?? (file.secret ? '0600' : '0644'),
      contentFrom: file.secret || file.configMap ? { secretRef: file.secret, configMapRef: file.configMap } : undefined,
    }))),
  };
  const before = listUnlessEmpty(props.preK0sCommands);
  const after = listUnlessEmpty(props.postK0sCommands);
  if (apiVersion === K0smotronApiVersion.V1BETA1) {
    const spec = { ...common, preStartCommands: before, postStartCommands: after };
    return K0sWorkerConfigTemplateV1Beta1.manifest({ spec: { template: { spec } } }).spec;
  }
  return K0sWorkerConfigTemplate.manifest({ spec: { template: { spec: { ...common, preK0SCommands: before, postK0SCommands: after } } } }).spec;
}

function validateFiles(files: WorkerFile[]): void {
  const paths = new Set<string>();
  files.forEach((file, i) => {
    const field = `workers.files[${i}]`;
    if (!file.path.startsWith('/')) {
      throw invalidInput(`${field}.path`, file.path, 'is not an absolute path', 'Give it from the root');
    }
    if (MANAGED_FILE.test(file.path)) {
      throw invalidInput(`${field}.path`, file.path, 'is written by k0smotron', 'Leave it out');
    }
    if (paths.has(file.path)) {
      throw invalidInput(`${field}.path`, file.path, 'is used twice', 'Give every file a path of its own');
    }
    paths.add(file.path);
    const sources = [file.content, file.secret, file.configMap].filter(source => source !== undefined);
    if (sources.length !== 1) {
      throw invalidInput(field, file, 'does not say what is in it', 'Give exactly one of content, secret and configMap');
    }
    if (file.permissions !== undefined && !/^0?[0-7]{3}$/.test(file.permissions)) {
      throw invalidInput(`${field}.permissions`, file.permissions, 'is not a mode', 'Give octal digits, e.g. "0600"');
    }
  });
}
