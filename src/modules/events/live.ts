import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { followEvents, stoppable } from '../../graphql/live.ts';
import { type EventFilter, type EventRow, lastEventPosition } from '../../outbox/read.ts';
import { requireCustomer } from '../customers/store.ts';
import { collectEvents, maxDigestCustomers } from './collect.ts';
import { EventKind } from './enums.ts';
import { Event, EventDigestType } from './types.ts';

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
      'Events as they are committed, in the order of their positions and without gaps: those committed after the subscription began, or after `afterPosition` to resume a stream: keep the `position` of the last event and subscribe again with it after a lost connection, since a client that only repeats its request misses what happened in between. `customer_not_found` when there is no such customer. Ends when the key no longer works.',
    errors: ['customer_not_found'],
    access: { scope: 'read' },
    args: {
      types: t.arg({
        type: [EventKind],
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

builder.subscriptionField('eventDigest', (t) =>
  t.field({
    type: EventDigestType,
    description: `The events committed from now on, or after \`afterPosition\`, counted: one digest after each span of time in which there were any, earlier once it has ${maxDigestCustomers} customers. For pages that would be flooded by \`eventStream\`, such as during a clock run.`,
    access: { scope: 'read' },
    args: {
      everyMs: t.arg.int({
        defaultValue: 1_000,
        rule: { minimum: 100, maximum: 60_000 },
        description: 'The span in milliseconds. Defaults to 1000.',
      }),
      afterPosition: t.arg({
        type: 'SafeInt',
        rule: { minimum: 0 },
        description:
          'Position of the last event already counted, to resume: `toPosition` of the last digest.',
      }),
    },
    subscribe: async (_root, { everyMs, afterPosition }, ctx) => {
      const after =
        typeof afterPosition === 'number' ? BigInt(afterPosition) : await lastEventPosition(ctx.sql);
      return stoppable((stop) => collectEvents(ctx, everyMs ?? 1_000, after, stop));
    },
    resolve: (digest) => digest,
  }),
);
