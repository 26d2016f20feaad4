import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { followEvents, stoppable } from '../../graphql/live.ts';
import { type EventFilter, type EventRow, lastEventPosition } from '../../outbox/read.ts';
import { requireCustomer } from '../customers/store.ts';
import { Event } from './types.ts';

/** The matching events after a position, one by one, in their order. */
async function* eventsAfter(
  ctx: Context,
  filter: EventFilter,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<EventRow, void> {
  for await (const events of followEvents(ctx, filter, after, stop)) yield* events;
}

builder.subscriptionField('eventStream', (t) =>
  t.field({
    type: Event,
    description:
      'Events as they are committed, in the order of their positions and without gaps: those committed after the subscription began, or after `afterPosition` to resume a stream. `customer_not_found` when there is no such customer. Ends when the key no longer works.',
    access: { scope: 'read' },
    args: {
      types: t.arg({
        type: ['EventKind'],
        rule: { minItems: 1 },
        description: 'Only these kinds. Defaults to all.',
      }),
      customerId: t.arg.string({
        description: 'Only those about this customer: our id, else its external id.',
      }),
      afterPosition: t.arg({
        type: 'SafeInt',
        rule: { minimum: 0 },
        description: 'Position of the last event already seen; 0 begins with the first.',
      }),
    },
    subscribe: async (_root, { types, customerId, afterPosition }, ctx) => {
      const customer = customerId ? await requireCustomer(ctx, customerId, 'customerId') : null;
      const after =
        typeof afterPosition === 'number' ? BigInt(afterPosition) : await lastEventPosition(ctx.sql);
      return stoppable((stop) => eventsAfter(ctx, { kinds: types, customerId: customer?.id }, after, stop));
    },
    resolve: (event) => event,
  }),
);
