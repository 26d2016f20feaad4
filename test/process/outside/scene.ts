import type { Query } from '../../../src/platform/db/pool.ts';
import type { Caller } from '../../support/caller.ts';
import type { Child } from '../../support/child.ts';
import type { Tenant } from '../../support/harness.ts';

/** Process, with the scenario's organization and API clients for the organization's sandbox and live environments. */
export type Place = {
  readonly child: Child;
  readonly tenant: Tenant;
  readonly sandbox: Caller;
  readonly live: Caller;
};

/** External service that receives a request before the process is killed, and the expectations for the next process. */
export interface Scene {
  /** Settings that connect the process to the external service. */
  readonly env: Readonly<Record<string, string>>;
  /** Prepares the organization without causing the request yet. */
  prepare(place: Place): Promise<void>;
  /** Makes the process send the request, and waits until the request arrives. The service doesn't respond. */
  ask(place: Place): Promise<void>;
  /** Runs before the next process starts. After this step, the external service responds. */
  meanwhile(query: Query, tenant: Tenant): Promise<void>;
  /** Waits until the next process has finished the work. */
  end(place: Place): Promise<void>;
  close(): Promise<void>;
}
