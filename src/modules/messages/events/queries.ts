import { builder } from '../../../graphql/reading/builder.ts';
import { findCustomer } from '../../customers/customers/store.ts';
import { EventKind } from '../../organization/event-types/enums.ts';
import { eventList, listEvents } from './list.ts';
import { EventConnection } from './types.ts';

builder.queryField('events', (t) =>
  t.field({
    type: EventConnection,
    description:
      "Lists the events of the environment, newest first by default. The list is empty if the customer doesn't exist.",
    access: { scope: 'read' },
    args: {
      ...eventList.args,
      types: t.arg({
        type: [EventKind],
        rule: { minItems: 1 },
        description: 'Event types to include. Defaults to all types.',
      }),
      customerId: t.arg.string({ description: 'ID or external ID of the customer whose events to include.' }),
    },
    resolve: async (_root, args, ctx) => {
      const customer = args.customerId ? await findCustomer(ctx, args.customerId) : undefined;
      // No event has an empty customer ID, so a filter by an unknown customer matches nothing.
      const customerId = customer === null ? '' : customer?.id;
      return listEvents(ctx, { kinds: args.types, customerId }, args);
    },
  }),
);
