/**
 * The order in which the hosts of a run take turns (round-robin scheduling). The order is stored: an interrupted run continues with the
 * hosts that wait the longest.
 *
 * @module
 */

/** Numbers of hosts. */
export interface HostCounts {
  /** Hosts that stopped responding although URLs are waiting. */
  readonly unresponsive: number;
  /** Hosts of the audit, with their ports. */
  readonly all: number;
}

/** The hosts (with port) that have waiting URLs. */
export interface HostRotation {
  /** Makes all hosts with waiting URLs ready, also those that did not respond before. The order stays as it was. */
  start(): Promise<void>;
  /**
   * Claims the hosts that are ready the longest. They go to the end of the order. No other process fetches from them while this one runs.
   *
   * @param limit - maximum number of hosts.
   * @param now - milliseconds since 1970.
   * @returns at most `limit` hosts, but not those that this process has.
   */
  claim(limit: number, now: number): Promise<string[]>;
  /** Ends the turn of a host. Returns whether it has waiting URLs: then it is ready again, after all others. */
  release(host: string): Promise<boolean>;
  /** Ends the turn of a host that no longer responds. It is not ready again before the next start. */
  exclude(host: string): Promise<void>;
  /** Whether other processes have hosts with waiting URLs. */
  hasOthers(): Promise<boolean>;
  count(): Promise<HostCounts>;
}
