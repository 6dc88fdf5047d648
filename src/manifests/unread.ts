import { Source } from './source';

/** Why a control plane, or a part of what it says, could not be read. */
export interface Unread {
  readonly source: Source;
  readonly field?: string;
  /** Continues the sentence that starts with the field. */
  readonly reason: string;
  readonly remedy: string;
}
