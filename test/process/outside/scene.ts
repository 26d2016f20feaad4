import type { Query } from '../../../src/platform/db/pool.ts';
import type { Caller } from '../../support/caller.ts';
import type { Child } from '../../support/child.ts';
import type { Tenant } from '../../support/harness.ts';

/** A process of the product, and an organization of the scene's own in it, called with the key of its sandbox or of its live environment. */
export type Place = {
  readonly child: Child;
  readonly tenant: Tenant;
  readonly sandbox: Caller;
  readonly live: Caller;
};

/** Something outside the process that was asked when it ended, and the process after it. */
export interface Scene {
  /** Settings that lead the process to what is outside. */
  readonly env: Readonly<Record<string, string>>;
  /** Brings the organization to where nothing is left but to ask. */
  prepare(place: Place): Promise<void>;
  /** Has the process ask, and waits until it has. No answer comes. */
  ask(place: Place): Promise<void>;
  /** What happens while there is no process. What is outside answers from now on. */
  meanwhile(query: Query, tenant: Tenant): Promise<void>;
  /** Waits until the next process has done what was left. */
  end(place: Place): Promise<void>;
  close(): Promise<void>;
}
