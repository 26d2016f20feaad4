import { builder } from '../../graphql/builder.ts';
import { columnsOfPage } from '../../graphql/pages.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { EventKind } from './enums.ts';
import { eventList, loadLastEventTime, loadTimeline } from './list.ts';
import { EventConnection } from './types.ts';

/** The arguments of a timeline. */
const timelineArgs = () => ({
  ...eventList.args,
  ...pageArgs(),
  ...builder.args((t) => ({
    types: t.field({
      type: [EventKind],
      rule: { minItems: 1 },
      description: 'Only these kinds. Defaults to all.',
    }),
  })),
});

builder.prismaObjectFields('Customer', (t) => ({
  events: t.computed({
    type: EventConnection,
    description:
      'What happened to the customer and everything it has, the latest first. `usage.recorded` is not among it: `usageEvents` lists usage.',
    args: timelineArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx, info) =>
      loadTimeline(ctx, 'customerId', id, args, (list) => columnsOfPage(info, list)),
  }),
  lastEventAt: t.computed({
    type: 'DateTime',
    nullable: true,
    description: 'Business time of its last event, `usage.recorded` included; null before the first.',
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadLastEventTime(ctx, id),
  }),
}));

builder.prismaObjectField('Subscription', 'events', (t) =>
  t.computed({
    type: EventConnection,
    description:
      'What happened to the subscription, its invoices and payments, the latest first. `usage.recorded` is not among it: `Customer.usageEvents` lists usage.',
    args: timelineArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx, info) =>
      loadTimeline(ctx, 'subscriptionId', id, args, (list) => columnsOfPage(info, list)),
  }),
);

builder.prismaObjectField('Invoice', 'events', (t) =>
  t.computed({
    type: EventConnection,
    description: 'What happened to the invoice and its payments, the latest first.',
    args: timelineArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx, info) =>
      loadTimeline(ctx, 'invoiceId', id, args, (list) => columnsOfPage(info, list)),
  }),
);
