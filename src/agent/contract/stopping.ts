/** How a proxy stops, in seconds. */
export interface StopSettings {
  /** Between the withdrawal of its address and its last new connection. */
  readonly propagationDelaySeconds: number;
  /** For what withdraws the address, and then for open connections. */
  readonly gracePeriodSeconds: number;
}

/**
 * Seconds that a stop may take besides: to withdraw the own address, which takes this time from nobody; between the signals that end HAProxy
 * and kill it; for the lines of its last connections; and for the agent to end.
 */
export const STOP_MARGIN_SECONDS = { withdrawal: 5, haproxyEnd: 3, lastLines: 1, agentEnd: 1 } as const;

/** The `terminationGracePeriodSeconds` of a pod: nothing that the agent waits for is cut by SIGKILL. */
export function terminationGracePeriodSeconds({ propagationDelaySeconds, gracePeriodSeconds }: StopSettings): number {
  const { withdrawal, haproxyEnd, lastLines, agentEnd } = STOP_MARGIN_SECONDS;
  return propagationDelaySeconds + gracePeriodSeconds + withdrawal + haproxyEnd + lastLines + agentEnd;
}
