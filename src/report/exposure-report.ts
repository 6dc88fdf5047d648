import { mkdirSync, writeFileSync } from 'fs';
import { join } from 'path';
import { App } from 'cdk8s';
import { Construct } from 'constructs';
import { PRICES } from './costs';
import { validateSharedAddresses } from './dns-records';
import { reportMarkdown, tenantMarkdown } from './markdown';
import { ExposurePrices } from './prices';
import { reportDocument, reported, requireKnownEntries } from './report-data';
import { ExposureReportDocument } from './report-document';
import { reportSummary } from './summary';
import { DeliveredTenant } from '../delivery/delivered-tenant';
import { Exposure } from '../model/exposure';
import { AN_EXPOSURE } from '../model/exposure-checks';
import { reportPage } from '../report-page/page';
import { afterSynthesis } from '../synthesis/after-synthesis';
import { Claims } from '../synthesis/claims';
import { fileNameOf, outputFolderOf } from '../synthesis/output-folder';
import { invalidInput, placed, placing } from '../validation/invalid-input';
import { Checks, checkProps, flag, listOf, mapOf, optional, struct } from '../validation/props';
import { required } from '../validation/required';
import { validateLine, validateText } from '../validation/text';
import { wholeNumber } from '../validation/whole-number';

/** Mermaid refuses diagrams of more than 500 lines between nodes (`maxEdges`); each control plane has up to two. */
const MOST_CONTROL_PLANES_IN_TOPOLOGY = 200;

/** What the report says beyond the control planes. */
export interface ExposureReportProps {
  /**
   * Title of the report.
   * @default Exposure of hosted control planes
   */
  readonly title?: string;
  /**
   * Addresses of the shared edge: IP addresses, or the one DNS name that its load balancer has. DNS records lead to them.
   * @default - not known; the report lists the names alone
   */
  readonly sharedAddresses?: string[];
  /**
   * Addresses of other entries, by the name of the entry, e.g. `{ public: ['203.0.113.10'] }`; `konnectivity` where that has a controller of its own.
   * @default - not known
   */
  readonly entryAddresses?: { [entry: string]: string[] };
  /**
   * Prices of your provider, to compare a LoadBalancer for each tenant with the shared edge.
   * @default - no comparison
   */
  readonly prices?: ExposurePrices;
  /**
   * Above so many control planes the topology groups them by namespace, and tenants have no topology of their own;
   * 1 to 200.
   * @default 20
   */
  readonly topologyLimit?: number;
  /**
   * Folder that the report is written to, from the app's output folder, or absolute. Not the output folder itself, where
   * `kubectl apply -f` would take the JSON for a manifest. With `cdk8s synth --format helm` it is in the folder of the Helm chart, as
   * Helm would take all files of `templates` for manifests; with `--stdout` nothing is written.
   * @default report
   */
  readonly folder?: string;
  /**
   * Name of the files, without extension.
   * @default exposure-report
   */
  readonly fileName?: string;
  /**
   * Whether the report is also written as one HTML page, `<fileName>.html`, for whoever has to see the platform as a whole: it opens in any
   * browser, needs no network, and its tenants can be searched and folded. `doctor live --page` writes the same page with what it saw.
   * @default false
   */
  readonly html?: boolean;
  /**
   * Whether the summary is also printed, on standard error, when the app is synthesized: routes, names in certificates and DNS records to create.
   * @default false
   */
  readonly printSummary?: boolean;
}

const CHECKS: Checks<ExposureReportProps> = {
  title: optional(validateText),
  sharedAddresses: optional(listOf(validateText)),
  entryAddresses: optional(mapOf(listOf(validateText))),
  prices: optional(struct(PRICES)),
  topologyLimit: optional(wholeNumber('control planes that Mermaid draws', 1, MOST_CONTROL_PLANES_IN_TOPOLOGY)),
  folder: optional(validateLine),
  fileName: optional(validateText),
  html: optional(flag),
  printSummary: optional(flag),
};

/**
 * What somebody has to know, create and open around the control planes below its scope: topology, routes, certificate
 * names, DNS records, ports, what must exist before, and costs, as Markdown, as JSON, and as one HTML page where that is asked for.
 *
 * When the app is synthesized, they are written beside the manifests, with a list of the images to mirror. The scope is the app for everything in it, or a
 * chart for the control planes of that chart.
 *
 * @example
 * new ExposureReport(app, 'report', { sharedAddresses: ['203.0.113.10'], html: true });
 */
export class ExposureReport extends Construct {
  /** Path of the Markdown file. */
  public readonly markdownFile: string;
  /** Path of the JSON file. */
  public readonly jsonFile: string;
  /** Path of the list of images to mirror: a text file with one image on each line. */
  public readonly imagesFile: string;
  /**
   * Path of the HTML page.
   * @default - none: `html` does not ask for it
   */
  public readonly htmlFile?: string;

  private readonly title: string;
  private readonly sharedAddresses: string[];
  private readonly entryAddresses: { [entry: string]: string[] };
  private readonly prices?: ExposurePrices;
  private readonly topologyLimit: number;

  /** @throws when a property cannot work, with the field, its value, the reason and the remedy */
  public constructor(scope: Construct, id: string, props: ExposureReportProps = {}) {
    super(scope, id);
    try {
      checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
      if (DeliveredTenant.of(this)) {
        throw invalidInput('scope', this.node.path, 'is in a chart of TenantCharts, among the objects of a tenant',
          'Make the report in the app or in a chart for the management cluster; it has the part of one tenant as tenantMarkdown()');
      }
      this.title = props.title ?? 'Exposure of hosted control planes';
      this.sharedAddresses = validateSharedAddresses('sharedAddresses', props.sharedAddresses ?? []);
      this.entryAddresses = Object.fromEntries(Object.entries(props.entryAddresses ?? {}).map(([entry, addresses]) =>
        [entry, validateSharedAddresses(`entryAddresses["${entry}"]`, addresses)]));
      this.prices = props.prices && { ...props.prices, tenants: props.prices.tenants && [...props.prices.tenants] };
      this.topologyLimit = props.topologyLimit ?? 20;
      if (Object.keys(this.entryAddresses).length > 0) {
        this.node.addValidation({ validate: () => this.entryErrors() });
      }
      const app = App.of(this);
      const { path: folder, isWritten } = outputFolderOf(app, props.folder ?? 'report');
      const file = join(folder, fileNameOf(props.fileName ?? 'exposure-report'));
      this.markdownFile = `${file}.md`;
      this.jsonFile = `${file}.json`;
      this.imagesFile = `${file}-images.txt`;
      this.htmlFile = props.html ? `${file}.html` : undefined;
      Claims.of(this).claim('report', this.markdownFile, this, 'One would overwrite the other: give each a fileName of its own');
      if (isWritten) {
        afterSynthesis(app, () => this.write(folder));
      }
      if (props.printSummary) {
        // Standard output is the manifests' with `cdk8s synth --stdout`.
        afterSynthesis(app, () => console.error(this.summary()));
      }
    } catch (error) {
      throw placed(this, error);
    }
  }

  /** The report as Markdown. */
  public markdown(): string {
    return reportMarkdown(this.toJson(), this.topologyLimit);
  }

  /** The part of the report on one control plane as Markdown, e.g. to hand to its users. */
  public tenantMarkdown(exposure: Exposure): string {
    return placing(this, () => {
      AN_EXPOSURE('exposure', exposure);
      return tenantMarkdown(reported(exposure), this.sharedAddresses);
    });
  }

  /** The report as one HTML page, whether or not it is written. */
  public html(): string {
    return reportPage(this.toJson());
  }

  /** What is needed at once, as a text for a terminal: of each control plane its routes, the names in its certificate and the DNS records to create. */
  public summary(): string {
    return reportSummary(this.toJson());
  }

  /** The report as data, as the JSON file holds it. */
  public toJson(): ExposureReportDocument {
    return reportDocument(this.node.scope!, {
      title: this.title, sharedAddresses: this.sharedAddresses, entryAddresses: this.entryAddresses, prices: this.prices,
    });
  }

  /** Control planes may be made after the report. */
  private entryErrors(): string[] {
    try {
      requireKnownEntries(this.node.scope!, this.entryAddresses);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  }

  private write(folder: string): void {
    const document = this.toJson();
    mkdirSync(folder, { recursive: true });
    writeFileSync(this.markdownFile, reportMarkdown(document, this.topologyLimit));
    if (this.htmlFile !== undefined) {
      writeFileSync(this.htmlFile, reportPage(document));
    }
    writeFileSync(this.jsonFile, `${JSON.stringify(document, null, 2)}\n`);
    writeFileSync(this.imagesFile, document.images.filter(({ complete }) => complete).map(({ image }) => `${image}\n`).join(''));
  }
}
