import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Chart } from 'cdk8s';
import type { OperatorCase } from './cases';
import { HetznerHostedCluster, IngressExposedControlPlane } from '../../../src';
import { ExampleApp, runExamples } from '../../support/examples';

/** A control plane that an example makes. */
type Made = Pick<OperatorCase, 'name' | 'controlPlane' | 'direct' | 'resource' | 'manifests'> & { readonly type: string };

let examples: { [name: string]: ExampleApp[] } | undefined;

/** Every control plane of the examples on the platforms of this type. */
export function casesOfExamples(platformType: string): Omit<OperatorCase, 'hash'>[] {
  return Object.entries(examples ??= run()).flatMap(([example, apps]) => apps.flatMap(({ folder, app }) => app.node.findAll().flatMap(madeBy)
    .filter(({ type }) => type === platformType)
    .map(({ type: _, ...made }) => ({
      ...made,
      title: `example ${join(example, folder)}: ${made.name}`,
      kin: `examples of ${kubernetesMinor(made.resource.spec)}`,
      front: frontOf(made.resource.spec),
    }))));
}

function run(): { [name: string]: ExampleApp[] } {
  const outdir = mkdtempSync(join(tmpdir(), 'examples-'));
  try {
    return runExamples(outdir);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

function madeBy(construct: unknown): Made[] {
  if (construct instanceof IngressExposedControlPlane) {
    const { exposure: { name }, platform, platformObject } = construct;
    return [{ name, type: platform!.type, controlPlane: construct, resource: platformObject.toJson(), manifests: Chart.of(construct).toJson() }];
  }
  if (construct instanceof HetznerHostedCluster && !construct.controlPlane) {
    const { cluster, controlPlaneObject } = construct;
    return [{ name: cluster.name, type: 'k0smotron-control-plane', direct: construct, resource: controlPlaneObject.toJson(), manifests: Chart.of(construct).toJson() }];
  }
  return [];
}

/** Operators take no version back. */
function kubernetesMinor(spec: any): string {
  const version: string = spec.kubernetes?.version ?? spec.version;
  return version.replace(/^v/, '').split('.').slice(0, 2).join('.');
}

/** What takes the routes, as the custom resource has it: which controller asks for it is known to the matrix. */
function frontOf({ controlPlane: { ingress = {}, gateway } = {}, ingress: { className, annotations } = {} }: any): OperatorCase['front'] {
  const [gatewayRef] = gateway?.parentRefs ?? [];
  return {
    gatewayRef,
    ingressClassName: ingress.ingressClassName ?? className,
    ingressAnnotations: ingress.additionalMetadata?.annotations ?? annotations ?? {},
  };
}
