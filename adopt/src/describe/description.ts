import { ControlPlane } from '../../../src/manifests/control-plane';
import { Expression, Fields, fieldsOf, Json } from '../code/expression';
import { WRITERS_ANNOTATIONS } from '../difference/comparable';
import { at, isRecord, Path } from '../json';

/** A control plane that runs, and the constructs that describe it. */
export interface Description {
  /** As the readers of manifests understand it. */
  readonly controlPlane: ControlPlane;
  /** The object as it was dumped. */
  readonly object: Json;
  /** Of the IngressExposedControlPlane, without platform and controller. */
  readonly props: Fields;
  /** The factory of the platform, e.g. `ControlPlanePlatform.kamaji`. */
  readonly platform: string;
  readonly platformProps: Fields;
  /** The controller, where the object tells which. */
  readonly controller?: Expression;
  /** Whether a TcpProxyAddon belongs to its tenant. */
  readonly tcpProxy: boolean;
  readonly rules: Rules;
}

/** What the library decides on in an object of this kind, and what stays for a while. */
export interface Rules {
  /** Whether what stands at a path follows from hosts, routes and proxies, so that the library's value counts. */
  readonly isOurs: (path: Path) => boolean;
  /** Whether a kept field is the old way to the control plane, which the last step of the plan takes away. */
  readonly isOldWay: (path: Path) => boolean;
  /** Properties of the platform that are. */
  readonly oldWayProps: readonly string[];
}

/** What the user says about all control planes. */
export interface Wishes {
  /** Domain for hosts that no object names. */
  readonly domain?: string;
  readonly tcpProxy: boolean;
  /** A Gateway at the shared address. */
  readonly gateway?: { readonly namespace: string; readonly name: string };
}

/** Whether a text is the namespace and the name of a Gateway, with `/` between them. */
export function isGatewayName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]*[a-z0-9])?\/[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(text);
}

/** Whether a path is one of the given ones or below. */
export function below(...paths: string[]): (path: Path) => boolean {
  return path => paths.some(each => {
    const keys = each.split('.');
    return keys.length <= path.length && keys.every((key, i) => key === String(path[i]));
  });
}

/** A label that the library gives to all that it makes for a control plane. */
export function isOwnLabel(path: Path): boolean {
  return path[0] === 'metadata' && path[1] === 'labels' && ['app.kubernetes.io/name', 'app.kubernetes.io/instance'].includes(String(path[2]));
}

/** Annotations that somebody has given an object, without some. */
export function annotationsOf(object: Json, ...without: string[]): Fields | undefined {
  const value = at(object, 'metadata.annotations');
  const left = isRecord(value) ? Object.entries(value).filter(([key]) => ![...without, ...WRITERS_ANNOTATIONS].includes(key)) : [];
  return fieldsOf(Object.fromEntries(left) as Fields);
}
