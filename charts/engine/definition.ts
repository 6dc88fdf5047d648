import type { Chart } from 'cdk8s';
import type { Assignment, Choice } from './choice';
import type { Mark } from './marks';
import type { ValueDefinitions } from './values';

/** What `helm install` says beside the values. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
}

/** What no schema can say of values. */
export interface Guard {
  /** In Helm's language. */
  readonly refuses: string;
  /** Why, and what to do. */
  readonly message: string;
  /** Actions around it, e.g. a `range`. */
  readonly before?: string;
  readonly after?: string;
}

/** A Helm chart that is made of constructs. */
export interface HelmChart<Values> {
  readonly name: string;
  readonly description: string;
  /** What is to be done after the installation, as a template. */
  readonly notes: string;
  readonly values: ValueDefinitions;
  readonly guards: readonly Guard[];
  readonly choices: readonly Choice[];
  readonly marks: readonly Mark[];
  /** Values with marks for what is free; undefined for a combination that cannot be. */
  readonly marked: (chosen: Assignment) => Values | undefined;
  /** The constructs for values: the chart is made of them, and compared with them. */
  readonly build: (chart: Chart, values: Values, release: Release) => void;
  /** Texts, other than those in objects, whose digests are in objects. */
  readonly digested?: (objects: readonly object[]) => string[];
}

/** The names of a release while the constructs are synthesized. */
export const MARKED_RELEASE: Release = { name: 'marked-release-name', namespace: 'marked-release-namespace' };

/** What takes their place. */
export const RELEASE_MARKS: readonly Mark[] = [
  { of: MARKED_RELEASE.name, expression: '$.Release.Name' },
  { of: MARKED_RELEASE.namespace, expression: '$.Release.Namespace' },
];
