import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { claimObject } from '../synthesis/object-claims';

/** What the ConfigMaps of a tenant are made of. */
export interface ConfigMapPartsOptions {
  readonly namespace: string;
  readonly labels: { [name: string]: string };
  /** Name of a part, counted from 1. */
  readonly nameOf: (part: number) => string;
  /** The data of every part: at least one. */
  readonly data: () => { [key: string]: string }[];
  readonly managementCluster: string;
}

/**
 * ConfigMaps of the management cluster with the objects of one tenant. How many it takes is known only when these can be
 * rendered.
 */
export class ConfigMapParts {
  private readonly parts: ApiObject[] = [];

  /** @param scope holds the objects of the tenant alone */
  public constructor(private readonly scope: Construct, private readonly options: ConfigMapPartsOptions) {
    this.resize(1);
  }

  /** Makes as many ConfigMaps as it takes. Called before the objects of their chart are rendered. */
  public prepare(): void {
    this.resize(this.options.data().length);
  }

  /** The names of the ConfigMaps. */
  public get names(): string[] {
    return this.parts.map(({ name }) => name);
  }

  private resize(length: number): void {
    while (this.parts.length > length) {
      this.scope.node.tryRemoveChild(this.parts.pop()!.node.id);
    }
    while (this.parts.length < length) {
      this.add(this.parts.length);
    }
  }

  private add(index: number): void {
    const { namespace, labels, nameOf, data, managementCluster } = this.options;
    const object = new ApiObject(this.scope, `part-${index + 1}`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: nameOf(index + 1), namespace, labels },
      data: Lazy.any({ produce: () => data()[index] }),
    });
    claimObject(this.scope, object, managementCluster);
    this.parts.push(object);
  }
}
