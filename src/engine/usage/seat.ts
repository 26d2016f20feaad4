import type { Caller, Context } from '../../context.ts';
import type { Recorded } from '../../domain/consumption/book.ts';
import type { UsageRequest } from '../../domain/consumption/record.ts';
import type { Clock } from '../../infra/clock.ts';
import type { EnvironmentFacts } from '../../infra/credentials.ts';
import type { Query } from '../../infra/db.ts';
import type { Log } from '../../infra/log.ts';
import type { TenantClient } from '../../infra/tenant.ts';

/** How a page of requests ended, and whether anything was written for one that was refused. */
export type UsageOutcome = { readonly results: readonly Recorded[]; readonly hasChanges: boolean };

/**
 * The context of an operation that records usage among others: the door's own until its events are decided, then that of the transaction
 * they are written in, so that what it goes on to read is what will be committed.
 */
export class Seat implements Context {
  readonly #door: Context;
  #flush: Context | null = null;
  #requests: readonly UsageRequest[] | null = null;
  readonly #asked = Promise.withResolvers<void>();
  readonly #decided = Promise.withResolvers<UsageOutcome>();

  constructor(door: Context) {
    this.#door = door;
  }

  /** Asks for events to be recorded, and answers once they are decided and written, before they are committed. Once per operation. */
  record(requests: readonly UsageRequest[]): Promise<UsageOutcome> {
    if (this.#requests !== null) throw new Error('An operation records usage once.');
    this.#requests = requests;
    this.#asked.resolve();
    return this.#decided.promise;
  }

  /** Settles when the operation has asked for its events. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  get hasAsked(): boolean {
    return this.#requests !== null;
  }

  /** What it asked for; nothing before, and for an operation that was refused earlier. */
  get requests(): readonly UsageRequest[] {
    return this.#requests ?? [];
  }

  /** Lets the operation go on, inside the transaction of `flush`. */
  decide(outcome: UsageOutcome, flush: Context): void {
    this.#flush = flush;
    this.#decided.resolve(outcome);
  }

  get #now(): Context {
    return this.#flush ?? this.#door;
  }
  get app(): Context['app'] {
    return this.#door.app;
  }
  get requestId(): string {
    return this.#door.requestId;
  }
  get log(): Log {
    return this.#door.log;
  }
  get wall(): Clock {
    return this.#door.wall;
  }
  get version(): string {
    return this.#door.version;
  }
  get caller(): Caller {
    return this.#door.caller;
  }
  get environment(): EnvironmentFacts {
    return this.#now.environment;
  }
  get livemode(): boolean {
    return this.#door.livemode;
  }
  get clock(): Clock {
    return this.#now.clock;
  }
  get db(): TenantClient {
    return this.#now.db;
  }
  get sql(): Query {
    return this.#now.sql;
  }
  get journal(): Context['journal'] {
    return this.#now.journal;
  }
  get transaction(): Context['transaction'] {
    return this.#now.transaction;
  }
  /** What operations of one flush read is read once for all of them. */
  once<T>(key: string, make: () => T): T {
    return this.#now.once(key, make);
  }
  forget(): void {
    if (this.#flush === null) this.#door.forget();
  }
}
