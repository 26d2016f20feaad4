import type { EventRow } from '../../../../outbox/read.ts';
import { monotonicMs } from '../../../../platform/clock.ts';
import { readBy } from '../../../../platform/db/rows.ts';
import type { PostResult } from '../../../../platform/http-post.ts';
import type { Leased } from '../../../../platform/queue/leased-loop.ts';
import { type App, type Context, systemContext } from '../../../../request/context.ts';
import { deliveredData } from '../../events/types.ts';
import { sendEvent } from '../send.ts';
import { type DeliveryRow, type EndpointKey, readDueDeliveries, type WebhookRow } from '../store.ts';
import type { Attempt } from './attempt.ts';
import { fanOut } from './fan-out.ts';
import { DeliveryQueue } from './queue.ts';
import { recordResults } from './record.ts';

/** Maximum number of concurrent attempts per endpoint. */
const maxAtOnce = 8;

/** Maximum number of deliveries per endpoint that are kept in memory. */
const maxHeld = 250;

/** Maximum time that an endpoint is served while other endpoints are waiting. Running attempts are still finished. */
const sliceMs = 5_000;

/** Interval between reloads of a served endpoint and its due deliveries. */
const lookMs = 200;

/** Runs database work with limited concurrency, so that the endpoints that are served at the same time use only some of the connections. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

type Served = { readonly ctx: Context; readonly webhook: WebhookRow };

/** Serves one leased endpoint: creates deliveries for new events, sends due deliveries, and records the results. */
export class Visit {
  readonly #app: App;
  readonly #leased: Leased<EndpointKey>;
  readonly #inTurn: InTurn;
  readonly #queue = new DeliveryQueue();
  readonly #running = new Set<Promise<void>>();
  /** Events of the queued deliveries, by event ID. */
  readonly #events = new Map<string, EventRow>();
  #results: Attempt[] = [];
  #recording: Promise<void> | null = null;
  #mayHaveMore = true;

  constructor(app: App, leased: Leased<EndpointKey>, inTurn: InTurn) {
    this.#app = app;
    this.#leased = leased;
    this.#inTurn = inTurn;
  }

  /** Serves the endpoint until no delivery is due, the time slice ends, or the lease is lost. Waits for running attempts. */
  async serve(): Promise<void> {
    const began = monotonicMs();
    let lookedAt = Number.NEGATIVE_INFINITY;
    let served: Served | null = null;
    try {
      while (this.#leased.goesOn() && monotonicMs() - began < sliceMs) {
        if ((this.#queue.isIdle && this.#mayHaveMore) || monotonicMs() - lookedAt >= lookMs) {
          lookedAt = monotonicMs();
          const looked: Served | null = await this.#look(served);
          if (looked === null) break;
          served = looked;
        }
        if (served !== null) this.#start(served);
        if (this.#running.size === 0) {
          await this.#recorded();
          if (!this.#mayHaveMore && this.#queue.isIdle) break;
        } else await Promise.race(this.#running);
      }
    } finally {
      await Promise.all(this.#running);
      await this.#recorded();
    }
  }

  /** Reloads the endpoint, creates deliveries for new events, and loads due deliveries. `null` if the endpoint was deleted. */
  async #look(before: Served | null): Promise<Served | null> {
    const { key, owner } = this.#leased;
    return this.#inTurn(async () => {
      // A new context is needed each time, because the test clock may have advanced.
      const ctx = await systemContext(this.#app, key.environmentId, `webhooks ${owner}`);
      const webhook = await fanOut(ctx, key.id, owner);
      if (webhook === null) return null;
      // A change to the endpoint may have canceled deliveries that are in the queue.
      if (
        before !== null &&
        (before.webhook.isActive !== webhook.isActive || before.webhook.updatedAt < webhook.updatedAt)
      )
        this.#queue.clear();
      const room = maxHeld - this.#queue.size;
      if (room > 0) {
        const due = await readDueDeliveries(ctx.sql, webhook.id, ctx.wall.now(), this.#queue.ids, room);
        for (const event of await readBy(ctx.sql, 'Event', 'id', [
          ...new Set(due.map(({ eventId }) => eventId)),
        ]))
          this.#events.set(event.id, event);
        this.#queue.add(due);
        this.#mayHaveMore = due.length === room;
      }
      return { ctx, webhook };
    });
  }

  #start(served: Served): void {
    while (this.#running.size < maxAtOnce) {
      const delivery = this.#queue.take();
      if (delivery === null) return;
      const attempt = this.#attempt(served, delivery).finally(() => this.#running.delete(attempt));
      this.#running.add(attempt);
    }
  }

  async #attempt({ ctx, webhook }: Served, delivery: DeliveryRow): Promise<void> {
    const begunAt = ctx.wall.now();
    const result = await send(ctx, webhook, this.#events.get(delivery.eventId));
    this.#queue.attempted(delivery);
    this.#results.push({ delivery, begunAt, result });
    this.#recording ??= this.#record(ctx);
  }

  /**
   * Records attempt results until none are waiting. Results that arrive during a transaction are recorded together in the next transaction.
   */
  async #record(ctx: Context): Promise<void> {
    const { id: webhookId } = this.#leased.key;
    // Waits for the results that arrive in the same tick, to record them together.
    await Promise.resolve();
    while (this.#results.length > 0) {
      const attempts = this.#results;
      this.#results = [];
      try {
        if (await this.#inTurn(() => recordResults(ctx, webhookId, attempts))) this.#queue.clear();
      } catch (error) {
        // Attempts that weren't recorded are repeated, because webhooks are delivered at least once (PLT-47).
        ctx.log.error({ err: error, webhookId }, 'The results of webhook deliveries could not be stored.');
      }
      for (const { delivery } of attempts) {
        this.#queue.forget(delivery.id);
        this.#events.delete(delivery.eventId);
      }
    }
    // Don't await anything between the loop's last check and this line. Otherwise, a new result could stay unrecorded.
    this.#recording = null;
  }

  async #recorded(): Promise<void> {
    while (this.#recording !== null) await this.#recording;
  }
}

/** Sends an event with its current data (PLT-47). An internal error is recorded as a failed attempt. */
async function send(ctx: Context, webhook: WebhookRow, event: EventRow | undefined): Promise<PostResult> {
  try {
    if (event === undefined) throw new Error('The event is no longer stored.');
    if (event.kind === 'customer.state_changed') ctx.forget();
    return await sendEvent(ctx, webhook, {
      id: event.id,
      kind: event.kind,
      occurredAt: event.occurredAt,
      data: await deliveredData(ctx, event),
    });
  } catch (error) {
    ctx.log.error({ err: error, webhookId: webhook.id }, 'A webhook delivery could not be attempted.');
    return { status: null, answer: null, error: 'The message could not be created.', durationMs: 0 };
  }
}
