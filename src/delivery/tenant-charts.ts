import { dirname, join } from 'path';
import { ApiObject, App, Chart, ChartProps, Names, YamlOutputType } from 'cdk8s';
import { Construct } from 'constructs';
import { ARGO_CD_DESTINATION, ArgoCdDestination } from './argo-cd-delivery';
import { CliUse, cliErrors, templateErrors, warnOfCli } from './cli-use';
import { DeliveredTenant, keptBySync } from './delivered-tenant';
import { AddTenant, DeliveryEngine, DeliveryTenant } from './delivery-engine';
import { validateFolder, validateOutputFolder } from './folder-names';
import { TenantApp } from './tenant-app';
import { TenantCertificates } from './tenant-certificates';
import { TenantDelivery } from './tenant-delivery';
import { TenantFolders } from './tenant-folders';
import { tenantName } from './tenant-name';
import { A_CONTROL_PLANE } from '../control-plane/control-plane-checks';
import { IHostedControlPlane } from '../control-plane/hosted-control-plane';
import { tenantClusterOf } from '../control-plane/tenant-cluster';
import { Exposure } from '../model/exposure';
import { PlatformSecrets } from '../model/platform-secrets';
import { SECRETS } from '../model/secret-checks';
import { aroundSynthesis } from '../synthesis/around-synthesis';
import { CliOutput, cliOutputOf } from '../synthesis/cdk8s-cli';
import { assignTree } from '../synthesis/chart-cluster';
import { Claims } from '../synthesis/claims';
import { ManagementCluster } from '../synthesis/management-cluster';
import { oncePerSynthesis } from '../synthesis/once-per-synthesis';
import { Warnings } from '../synthesis/warnings';
import { invalidInput, placed, placing } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { Checks, checkProps, flag, instance, optional, struct } from '../validation/props';
import { required } from '../validation/required';

const FOLDER_REMEDY = 'A folder is read with all that is below it: set another "folder" in TenantCharts.of(), or another outputFolder';

/** The charts of tenant clusters. */
export interface TenantChartsProps {
  /**
   * How the tenants' objects get to their clusters.
   * @default TenantDelivery.manifests()
   */
  readonly delivery?: TenantDelivery;
  /**
   * Folder of the tenants' folders, relative to the output folder of the app; `..` leads out of it.
   * @default - the output folder itself
   */
  readonly outputFolder?: string;
}

/** One tenant's chart. */
export interface TenantChartOptions extends PlatformSecrets {
  /**
   * Folder of the tenant's manifests.
   * @default - `<namespace>-<name>` of the control plane, with `<cluster>-` before it where ManagementCluster.assign() named its cluster
   */
  readonly folder?: string;
  /**
   * Properties of the chart, e.g. labels.
   * @default - cdk8s' defaults
   */
  readonly chart?: ChartProps;
  /**
   * The cluster in Argo CD; for TenantDelivery.argoCd() alone.
   * @default - that with the name `<namespace>-<name>` of the control plane
   */
  readonly argoCdDestination?: ArgoCdDestination;
  /**
   * Labels that the tenant's Cluster has and no other; for TenantDelivery.clusterResourceSet() alone.
   * @default - cluster.x-k8s.io/cluster-name with the name of the control plane, on platforms of Cluster API
   */
  readonly clusterSelector?: { [name: string]: string };
}

const CHECKS: Checks<TenantChartsProps> = {
  delivery: optional(instance<TenantDelivery>('Give one, e.g. TenantDelivery.sync()', '_engine')),
  outputFolder: optional(validateOutputFolder),
};

const OPTIONS: Checks<TenantChartOptions> = {
  ...SECRETS,
  folder: optional(validateFolder),
  chart: optional(struct<ChartProps>({
    namespace: optional(validateDns1123Label), labels: optional(validateLabels), disableResourceNameHashes: optional(flag),
  })),
  argoCdDestination: optional(struct(ARGO_CD_DESTINATION)),
  clusterSelector: optional(validateLabels),
};

/**
 * Charts for tenant clusters, and what delivers their objects. Belongs into a chart for the management cluster.
 *
 * The objects of a tenant are in an app of their own, so they are never among the manifests of the management cluster.
 *
 * @example
 * const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });
 * new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
 */
export class TenantCharts extends Construct {
  private readonly engine: DeliveryEngine;
  private readonly addTenant: AddTenant;
  private readonly managementCluster: string;
  private readonly outputFolder: string;
  private readonly cli: CliUse;
  private readonly known = new Map<Exposure, Chart>();
  private readonly tenants: { readonly delivery: DeliveryTenant; readonly prepare?: () => string[] }[] = [];

  public constructor(scope: Construct, id: string, props: TenantChartsProps = {}) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
      this.engine = (props.delivery ?? TenantDelivery.manifests())._engine;
      this.managementCluster = ManagementCluster.of(this).name;
      this.outputFolder = props.outputFolder ?? '';
      const app = this.app;
      this.cli = { app, output: cliOutputOf(app), outputFolder: this.outputFolder };
      this.addTenant = this.engine.start({ holder: this, app, managementCluster: this.managementCluster, outputFolder: this.outputFolder });
      const errors = oncePerSynthesis(app, () => this.errors());
      this.node.addValidation({ validate: errors });
      if (this.engine.writesFiles) {
        this.claimFoldersAbove();
      }
      if (this.cli.output !== CliOutput.STDOUT) {
        aroundSynthesis(app, 'synth', synth => () => this.synthesize(synth));
      }
    } catch (error) {
      throw placed(this, error);
    }
  }

  /**
   * The chart for the objects of a tenant cluster: put the TcpProxyAddon and everything else that the tenant needs into
   * it. Asked twice, it is the same chart.
   *
   * @throws when the control plane's objects are delivered by somebody else already, it is of another app or management
   * cluster, or its Secrets are not known to a delivery that needs them
   */
  public of(controlPlane: IHostedControlPlane, options: TenantChartOptions = {}): Chart {
    return placing(this, () => this.chartOf(controlPlane, options));
  }

  private chartOf(controlPlane: IHostedControlPlane, options: TenantChartOptions): Chart {
    A_CONTROL_PLANE('controlPlane', controlPlane);
    checkProps('', required('options', options, 'Leave them out for the defaults'), OPTIONS);
    const { exposure } = controlPlane;
    const known = this.known.get(exposure);
    if (known) {
      return this.again(controlPlane, known, options);
    }
    this.requireOwn(controlPlane);
    this.requireName(controlPlane);
    const folder = options.folder ?? tenantClusterOf(exposure).replace(/\//g, '-');
    const app = new TenantApp(this.app, exposure.name, folder, options.chart);
    const { adminKubeconfig, clusterCa, apiServerCertificate } = controlPlane.secrets;
    const managementScope = new Construct(this, this.nameOf(controlPlane));
    const tenant = new DeliveredTenant(app.chart.node.root, {
      exposure,
      syncs: this.engine.syncs,
      certificateKeeper: () => this.engine.syncs
        ? { scope: managementScope, managementCluster: this.managementCluster, keep: () => undefined }
        : TenantCertificates._for(this, controlPlane)._keeperFor(controlPlane),
      managementScope,
      endpointsCaveat: this.engine.endpointsCaveat,
      managementCluster: this.managementCluster,
      secrets: {
        adminKubeconfig: options.adminKubeconfig ?? adminKubeconfig,
        clusterCa: options.clusterCa ?? clusterCa,
        apiServerCertificate: options.apiServerCertificate ?? apiServerCertificate,
      },
    });
    const delivery = { controlPlane, tenant, folder, app, options };
    const prepare = this.prepared(delivery, managementScope);
    if (this.engine.writesFiles && this.tenants.length === 0) {
      warnOfCli(this, this.cli);
    }
    // Only now that nothing is wrong with it.
    delivererOf.set(exposure, this);
    this.known.set(exposure, app.chart);
    this.tenants.push({ delivery, prepare });
    assignTree(app.chart, tenantClusterOf(exposure));
    Warnings._include(this, app.chart.node.root);
    if (this.engine.writesFiles) {
      const inCluster = options.folder === undefined;
      Claims.of(this).claim('output folder', join(this.outputFolder, folder), controlPlane, FOLDER_REMEDY, { inCluster });
    }
    return app.chart;
  }

  /** Emits what delivers a tenant, or nothing: the user may try again with other options. */
  private prepared(delivery: DeliveryTenant, scope: Construct): (() => string[]) | undefined {
    try {
      return this.addTenant(delivery) ?? undefined;
    } catch (error) {
      this.node.tryRemoveChild(scope.node.id);
      throw error;
    }
  }

  /** The charts of all tenants, with those that you added beside or below them. They are in apps of their own. */
  public get charts(): Chart[] {
    return this.tenants.flatMap(({ delivery }) => delivery.app.charts);
  }

  /** Everything that the delivery emits into the management cluster, e.g. to patch it. */
  public get objects(): ApiObject[] {
    return this.node.findAll().filter(ApiObject.isApiObject);
  }

  /** @internal The chart of each tenant, in the order in which they were asked for. */
  public get _tenantCharts(): Chart[] {
    return [...this.charts.values()];
  }

  /** Writes the tenants' manifests after those of the app; nothing is written where theirs could not be. */
  private synthesize(synth: () => void): void {
    const folders = new TenantFolders(this.app, this.node.path, this.outputFolder);
    const written = this.engine.writesFiles ? this.tenants.map(({ delivery }) => delivery) : [];
    placing(this, () => folders.requireOwn(written.map(({ folder }) => folder)));
    synth();
    placing(this, () => folders.write(written));
  }

  private get app(): App {
    const { root } = this.node;
    if (!(root instanceof App)) {
      throw invalidInput('scope', this.node.path, 'is not in an App, so nothing would write the objects of tenants', 'Make the chart in an App of cdk8s');
    }
    return root;
  }

  /** A tenant's folder is read with all that is below it, so it cannot hold those of others. */
  private claimFoldersAbove(): void {
    for (let folder = dirname(join(this.outputFolder, 'tenant')); folder !== '.'; folder = dirname(folder)) {
      Claims.of(this).claim('output folder', folder, this, FOLDER_REMEDY, { variant: 'holds folders of tenants' });
    }
  }

  private again({ node: { path } }: IHostedControlPlane, chart: Chart, options: TenantChartOptions): Chart {
    if (Object.values(options).some(option => option !== undefined)) {
      throw invalidInput('options', Object.keys(options), `would have no effect: the chart of ${path} exists already`, 'Give them where TenantCharts.of() is first called for it');
    }
    return chart;
  }

  /** Elsewhere, Argo CD for example, there may be tenants of one name from several management clusters. */
  private nameOf({ exposure, managementCluster: cluster }: IHostedControlPlane): string {
    return cluster === this.managementCluster ? tenantName(exposure) : tenantName(exposure, validateDns1123Label('managementCluster', cluster));
  }

  private requireName(controlPlane: IHostedControlPlane): void {
    const title = this.nameOf(controlPlane);
    // The list is long, and a look at it for each tenant would be too.
    const other = this.node.tryFindChild(title) && this.tenants.find(({ delivery }) => this.nameOf(delivery.controlPlane) === title);
    if (other) {
      const { name, namespace } = controlPlane.exposure;
      throw invalidInput('controlPlane', controlPlane.node.path, `and ${other.delivery.controlPlane.node.path} are both named "${name}" in the namespace "${namespace}"`,
        'Give each a name or namespace of its own');
    }
  }

  private requireOwn(controlPlane: IHostedControlPlane): void {
    const { path } = controlPlane.node;
    const other = delivererOf.get(controlPlane.exposure);
    if (other) {
      throw invalidInput('controlPlane', path, `has its objects delivered by ${other.node.path} already, and two would undo each other's changes`,
        `Add what ${this.node.path} is to deliver to the chart that ${other.node.path}.of() returns`);
    }
    if (controlPlane.node.root !== this.node.root) {
      throw invalidInput('controlPlane', path, `is of another app than ${this.node.path}, which is synthesized by itself`, 'Make both in one app');
    }
    const cluster = controlPlane.managementCluster;
    if (this.engine.besideControlPlanes && cluster !== this.managementCluster) {
      throw invalidInput('controlPlane', path, `goes to the cluster "${cluster}", and ${this.node.path} with what reads its Secrets to "${this.managementCluster}"`,
        `Make TenantCharts in a chart for "${cluster}"`);
    }
  }

  private errors(): string[] {
    return [...this.engine.writesFiles ? cliErrors(this.cli) : [], ...this.folderErrors(), ...this.tenants.flatMap(({ delivery, prepare }) => {
      const errors = delivery.app.errors();
      if (errors.length > 0) {
        return errors;
      }
      const braces = this.engine.writesFiles ? [] : templateErrors(this.cli, delivery.folder, () => delivery.app.objects());
      return [...this.keptErrors(delivery), ...prepare?.() ?? [], ...braces];
    })];
  }

  /** A delivery by `sync` looks for these in what it renders. */
  private keptErrors({ app, folder, tenant: { keptObjects } }: DeliveryTenant): string[] {
    if (this.engine.syncs || keptObjects.length === 0) {
      return [];
    }
    return app.titles().filter(title => keptObjects.includes(title)).map(title => keptBySync(folder, title).message);
  }

  /** With a folder for each chart, a tenant could get among the manifests of the management cluster. */
  private folderErrors(): string[] {
    if (!this.engine.writesFiles || this.app.yamlOutputType !== YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE) {
      return [];
    }
    const charts = new Map(this.node.root.node.findAll().filter(construct => construct instanceof Chart)
      .map(chart => [Names.toDnsLabel(chart), chart.node.path]));
    return this.tenants.flatMap(({ delivery: { folder } }) => {
      const chart = charts.get(join(this.outputFolder, folder));
      return chart === undefined ? [] : [invalidInput('folder', folder, `is also that of the chart ${chart}`, 'Set "folder" in TenantCharts.of(), or rename the chart').message];
    });
  }
}

const delivererOf = new WeakMap<Exposure, TenantCharts>();
