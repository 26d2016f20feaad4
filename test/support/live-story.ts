import type { MovableClock } from './billing-world.ts';
import { eventually } from './eventually.ts';
import { Story } from './story.ts';
import type { StripeShop } from './stripe-shop.ts';

/** Scenario in a live environment. Only the scenario advances the real-time clock, and the product's worker processes due work. */
export class LiveStory extends Story {
  readonly #stripe: StripeShop;
  readonly #wall: MovableClock;

  constructor(stripe: StripeShop, wall: MovableClock) {
    super(stripe.shop);
    this.#stripe = stripe;
    this.#wall = wall;
  }

  /** Advances the clock to a given time, one due action at a time. After each step, waits until the worker has processed the action. */
  override async on(instant: string): Promise<void> {
    const until = new Date(instant);
    for (;;) {
      const next = await this.#next();
      if (next === null || next > until) break;
      await this.#at(next > this.#wall.now() ? next : this.#wall.now());
    }
    await this.#at(until);
  }

  async #at(instant: Date): Promise<void> {
    this.#wall.set(instant.toISOString());
    await eventually(
      () => this.#isBusy(),
      (isBusy) => !isBusy,
    );
  }

  #query<T>(text: string, params: readonly unknown[] = []): Promise<T[]> {
    return this.shop.t.app.database.query<T>(text, [this.#stripe.shop.environmentId, ...params]);
  }

  async #next(): Promise<Date | null> {
    const [row] = await this.#query<{ at: Date | null }>(
      `SELECT least((SELECT min("dueAt") FROM "Deadline" WHERE "environmentId" = $1 AND state = 'ready'),
         (SELECT min(least("inquireAt", "compareAt")) FROM "ChargeAttempt" WHERE "environmentId" = $1)) AS at`,
    );
    return row?.at ?? null;
  }

  /**
   * True if the environment has due work, if a charge hasn't been requested, or if the worker holds the environment's lease. If the clock
   * advanced in this state, the lease would expire and another worker would send the same charge concurrently.
   */
  async #isBusy(): Promise<boolean> {
    const [row] = await this.#query<{ isBusy: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM "Deadline" WHERE "environmentId" = $1 AND state = 'ready' AND "dueAt" <= $2)
         OR EXISTS (SELECT 1 FROM "EnvironmentLease" WHERE "environmentId" = $1 AND "leaseOwner" IS NOT NULL)
         OR EXISTS (SELECT 1 FROM "ChargeAttempt" WHERE "environmentId" = $1
           AND (least("inquireAt", "compareAt") <= $2 OR ("inquireAt" IS NOT NULL AND "isBatch" AND asks = 0))) AS "isBusy"`,
      [this.#wall.now()],
    );
    return row?.isBusy ?? false;
  }
}
