import { builder } from '../../../graphql/reading/builder.ts';
import { columnsOfPage } from '../../../graphql/reading/pages.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { EventKind } from '../../organization/event-types/enums.ts';
import { eventList, loadLastEventTime, loadTimeline } from './list.ts';
import { EventConnection } from './types.ts';

const timelineArgs = () => ({
  ...eventList.args,
  ...pageArgs(),
  ...builder.args((t) => ({
    types: t.field({
      type: [EventKind],
      rule: { minItems: 1 },
      description: 'Event types to include. Defaults to all types.',
    }),
  })),
});

builder.prismaObjectFields('Customer', (t) => ({
  events: t.computed({
    type: EventConnection,
    description:
      "Events of the customer and of the customer's subscriptions, invoices, and other objects, newest first. Excludes `usage.recorded`. For usage, use `usageEvents`.",
    args: timelineArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx, info) =>
      loadTimeline(ctx, 'customerId', id, args, (list) => columnsOfPage(info, list)),
  }),
  lastEventAt: t.computed({
    type: 'DateTime',
    nullable: true,
    description:
      "Time of the customer's last event, including `usage.recorded`. In a sandbox, the test clock's time. `null` if the customer has no events yet.",
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadLastEventTime(ctx, id),
  }),
}));

builder.prismaObjectField('Subscription', 'events', (t) =>
  t.computed({
    type: EventConnection,
    description:
      'Events of the subscription, its invoices, and its payments, newest first. Excludes `usage.recorded` events. For usage, use `Customer.usageEvents`.',
    args: timelineArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx, info) =>
      loadTimeline(ctx, 'subscriptionId', id, args, (list) => columnsOfPage(info, list)),
  }),
);

builder.prismaObjectField('Invoice', 'events', (t) =>
  t.computed({
    type: EventConnection,
    description: 'Events of the invoice and its payments, newest first.',
    args: timelineArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx, info) =>
      loadTimeline(ctx, 'invoiceId', id, args, (list) => columnsOfPage(info, list)),
  }),
);
