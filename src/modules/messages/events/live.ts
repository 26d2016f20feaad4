import { followEvents, stoppable } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { type EventFilter, type EventRow, lastEventPosition } from '../../../outbox/read.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { EventKind } from '../../organization/event-types/enums.ts';
import { collectEvents, maxDigestCustomers } from './collect.ts';
import { Event, EventDigestType } from './types.ts';

/** Yields matching events after a position, one by one and in order. */
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
      "Emits events as they're committed, in the order of their positions and without gaps. Starts with new events, or after `afterPosition`. To resume after a disconnect, store the `position` of the last event, and pass it as `afterPosition` when you subscribe again. If you subscribe again without `afterPosition`, you miss the events in between. The stream ends when the API key is no longer valid.",
    errors: [['customer_not_found', "`customerId` doesn't exist"]],
    access: { scope: 'read' },
    args: {
      types: t.arg({
        type: [EventKind],
        rule: { minItems: 1 },
        description: 'Event types to include. Defaults to all types.',
      }),
      customerId: t.arg.string({
        description: 'ID or external ID of the customer whose events to include.',
      }),
      afterPosition: t.arg({
        type: 'SafeInt',
        rule: { minimum: 0 },
        description: 'Position of the last event that you received. 0 starts with the first event.',
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
    description: `Emits summaries of new events, or of the events after \`afterPosition\`. One digest is emitted for each interval in which events occurred. A digest is emitted early if it contains ${maxDigestCustomers.toLocaleString('en')} customers. Use digests instead of \`eventStream\` if there are too many events to receive individually, such as during a test clock run.`,
    access: { scope: 'read' },
    args: {
      everyMs: t.arg.int({
        defaultValue: 1_000,
        rule: { minimum: 100, maximum: 60_000 },
        description: 'Interval between digests in milliseconds, from 100 to 60,000. Defaults to 1,000.',
      }),
      afterPosition: t.arg({
        type: 'SafeInt',
        rule: { minimum: 0 },
        description:
          'Position after which the digests start. To resume, use `toPosition` of the last digest.',
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
