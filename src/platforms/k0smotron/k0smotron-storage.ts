import type { k8s } from 'cdk8s-plus-30';
import { deepCopy } from '../../objects/deep-copy';
import { validateSchedule } from '../../validation/cron';
import { nameFactories } from '../../validation/factories';
import { validateImageReference } from '../../validation/image-reference';
import { validateObjectName } from '../../validation/object-name';
import { validateAbsolutePath } from '../../validation/path';
import { Checks, checkProps, flag, listOf, optional, struct } from '../../validation/props';
import { validateQuantity } from '../../validation/quantity';
import { required } from '../../validation/required';
import { validateText } from '../../validation/text';
import { validateResources } from '../component-resources';

/** The etcd that k0smotron runs beside the control plane. */
export interface K0smotronEtcdProps {
  /**
   * Size of each member's volume, e.g. `2Gi`.
   * @default 1Gi
   */
  readonly size?: string;
  /**
   * StorageClass of the volumes.
   * @default - the management cluster's
   */
  readonly storageClassName?: string;
  /**
   * Delete the volumes together with the cluster.
   * @default false
   */
  readonly autoDeletePvcs?: boolean;
  /**
   * Image with tag.
   * @default - k0smotron's
   */
  readonly image?: string;
  /**
   * Further arguments, each as `--flag=value`.
   * @default - none
   */
  readonly args?: string[];
  /**
   * CPU and memory of each member.
   * @default - none
   */
  readonly resources?: k8s.ResourceRequirements;
  /**
   * Cron schedule on which the members are defragmented, e.g. `0 12 * * *`.
   * @default - never
   */
  readonly defragSchedule?: string;
}

/** The NATS that k0smotron runs beside the control plane. */
export interface K0smotronNatsProps {
  /**
   * Size of each volume, e.g. `2Gi`.
   * @default 1Gi
   */
  readonly size?: string;
  /**
   * StorageClass of the volumes.
   * @default - the management cluster's
   */
  readonly storageClassName?: string;
}

const ETCD: Checks<K0smotronEtcdProps> = {
  size: optional(validateQuantity),
  storageClassName: optional(validateObjectName),
  autoDeletePvcs: optional(flag),
  image: optional(validateImageReference),
  args: optional(listOf(validateText)),
  resources: optional(validateResources),
  defragSchedule: optional(validateSchedule),
};

const NATS: Checks<K0smotronNatsProps> = { size: optional(validateQuantity), storageClassName: optional(validateObjectName) };

/** Where a control plane of k0smotron keeps the state of its cluster. */
export class K0smotronStorage {
  /** An etcd of its own. */
  public static etcd(props: K0smotronEtcdProps = {}): K0smotronStorage {
    struct(ETCD)('storage.etcd', props);
    return new K0smotronStorage('etcd', { etcd: deepCopy(props) });
  }

  /**
   * A database, through kine.
   *
   * @param dataSourceSecretName Secret beside the control plane with the URL of the database under the key
   * `K0SMOTRON_KINE_DATASOURCE_URL`. The URL holds a password, so it is not taken directly.
   */
  public static kine(dataSourceSecretName: string): K0smotronStorage {
    return new K0smotronStorage('kine', { dataSourceSecretName: validateObjectName('storage.dataSourceSecretName', dataSourceSecretName) });
  }

  /** A NATS of its own; needs the API version v1beta2. k0smotron refuses to change the number of replicas later. */
  public static nats(props: K0smotronNatsProps = {}): K0smotronStorage {
    struct(NATS)('storage.nats', props);
    return new K0smotronStorage('nats', { nats: deepCopy(props) });
  }

  private constructor(
    /** @internal */
    public readonly _type: 'etcd' | 'kine' | 'nats',
    /** @internal */
    public readonly _settings: { etcd?: K0smotronEtcdProps; dataSourceSecretName?: string; nats?: K0smotronNatsProps },
  ) {}
}

nameFactories(K0smotronStorage);

/** A volume for the files of the control plane. */
export interface K0smotronPersistentVolumeProps {
  /** Size, e.g. `1Gi`. */
  readonly size: string;
  /**
   * StorageClass.
   * @default - the management cluster's
   */
  readonly storageClassName?: string;
  /**
   * Delete the volume together with the cluster.
   * @default false
   */
  readonly autoDeletePvcs?: boolean;
}

/** Where the pods of a control plane keep their files, among them the certificates that k0s makes. */
export class K0smotronPersistence {
  /** With the pod: made anew when it moves. */
  public static emptyDir(): K0smotronPersistence {
    return new K0smotronPersistence('emptyDir');
  }

  /** In a folder of the node that the pod runs on. */
  public static hostPath(path: string): K0smotronPersistence {
    return new K0smotronPersistence('hostPath', validateAbsolutePath('persistence.hostPath', path));
  }

  /** On a volume. */
  public static persistentVolume(props: K0smotronPersistentVolumeProps): K0smotronPersistence {
    checkProps('persistence', required('persistence', props, 'Give size, e.g. { size: "1Gi" }'), {
      size: validateQuantity, storageClassName: optional(validateObjectName), autoDeletePvcs: optional(flag),
    });
    return new K0smotronPersistence('pvc', undefined, deepCopy(props));
  }

  private constructor(
    /** @internal */
    public readonly _type: 'emptyDir' | 'hostPath' | 'pvc',
    /** @internal */
    public readonly _hostPath?: string,
    /** @internal */
    public readonly _volume?: K0smotronPersistentVolumeProps,
  ) {}
}

nameFactories(K0smotronPersistence);
