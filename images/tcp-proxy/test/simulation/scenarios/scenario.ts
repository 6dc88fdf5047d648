import type { Identities } from '../identities';
import type { Sizes } from '../machines';
import type { World } from '../world';

/** What happens, and the time before the next, in milliseconds. */
export type Step = readonly [act: () => void, ms: number];

/** One run of a scenario. */
export interface Play {
  readonly steps: readonly Step[];
  /** What is not as it should be now. */
  readonly wrong: () => string[];
  /** What the kubelets show to pods that the machines of the world do not know. */
  readonly mount?: () => void;
}

/** A short time in which processes wait for something in all ways that they know. */
export interface Scenario {
  readonly name: string;
  readonly sizes: Sizes;
  readonly play: (world: World, identities: Identities) => Play;
}
