import { Scope } from './scope';

/** Somebody is to know of it. */
export interface Alert {
  /** In CamelCase, unique among the alerts of all uses. Its lower case is the anchor of its row in docs/troubleshooting.md. */
  readonly name: string;
  /** `critical`: clients fail now; `warning`: they will, or some of them do. */
  readonly severity: 'critical' | 'warning';
  /** Holds while something is wrong. */
  readonly expr: (scope: Scope) => string;
  /** How long that has to hold, as a duration of Prometheus: nobody is woken for what heals by itself. */
  readonly for: string;
  /** One line for people, with the templates of Prometheus. */
  readonly summary: string;
}
