import type { EventBody } from '../events/event-data.ts';
import type { EventOrigin } from '../events/events.ts';
import type { Pool } from '../pricing/pools.ts';
import type { ConsumingSubscription } from '../rows/usage-rows.ts';

/** Event to store, with its customer and origin. */
export type BookEvent = EventBody & EventOrigin & { readonly customerId: string; readonly occurredAt: Date };

/** Account whose automatic top-up usage triggered. */
export type TriggeredTopUp = {
  readonly subscription: ConsumingSubscription;
  readonly pool: Pool;
  readonly dueAt: Date;
};
