import { join } from 'path';
import { App } from 'cdk8s';
import { IConstruct } from 'constructs';
import { titleOf } from './manifest-title';
import { CliOutput, isValidatedByCli, isWithin } from '../synthesis/cdk8s-cli';
import { Warnings } from '../synthesis/warnings';
import { invalidInput } from '../validation/invalid-input';

/** Where the manifests of tenants go, and what cdk8s-cli does with what an app writes. */
export interface CliUse {
  readonly app: App;
  readonly output: CliOutput;
  readonly outputFolder: string;
}

/** Says what options of `cdk8s synth` mean for the manifests of tenants. */
export function warnOfCli(holder: IConstruct, { app, output, outputFolder }: CliUse): void {
  if (output === CliOutput.STDOUT) {
    Warnings._add(holder, 'delivery: "cdk8s synth --stdout" prints the manifests of one cluster, so those of tenants are left out. ' +
      'Synthesize into a folder for them.');
  } else if (isValidatedByCli() && !isWithin(app.outdir, join(app.outdir, outputFolder))) {
    Warnings._add(holder, `outputFolder: "${outputFolder}" is outside of the output folder, so the plugins under "validations" of cdk8s.yaml do not see ` +
      'the manifests of tenants. Use one inside, e.g. "tenants".');
  }
}

/** Helm would install the objects of tenants into the management cluster. */
export function cliErrors({ app: { outdir }, output, outputFolder }: CliUse): string[] {
  if (output !== CliOutput.HELM || !isWithin(outdir, join(outdir, outputFolder))) {
    return [];
  }
  return [invalidInput('outputFolder', outputFolder, 'is in the templates of the Helm chart that "cdk8s synth --format helm" writes, and Helm installs all of ' +
    'them into one cluster', 'Lead out of it, e.g. "../../tenants" for a folder beside the chart, or deliver with TenantDelivery.sync()').message];
}

/** What is in braces would be lost, or evaluated, where the objects of a tenant travel in templates of Helm. */
export function templateErrors({ output }: CliUse, tenant: string, objects: () => any[]): string[] {
  const object = output === CliOutput.HELM ? objects().find(manifest => JSON.stringify(manifest).includes('{{')) : undefined;
  return object === undefined ? [] : [invalidInput(tenant, titleOf(object), 'has "{{", which Helm takes for its own in the chart that "cdk8s synth --format helm" writes',
    'Leave the object out, or synthesize without --format helm').message];
}
