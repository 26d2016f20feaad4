import { builder } from '../../graphql/builder.ts';
import { findCustomer } from '../customers/store.ts';
import { EventKind } from './enums.ts';
import { eventList, listEvents } from './list.ts';
import { EventConnection } from './types.ts';

builder.queryField('events', (t) =>
  t.field({
    type: EventConnection,
    description:
      'Events of the environment, the latest first unless they are sorted otherwise. A customer that does not exist has none.',
    access: { scope: 'read' },
    args: {
      ...eventList.args,
      types: t.arg({
        type: [EventKind],
        rule: { minItems: 1 },
        description: 'Only these kinds. Defaults to all.',
      }),
      customerId: t.arg.string({ description: 'Our id of a customer, else its external id.' }),
    },
    resolve: async (_root, args, ctx) => {
      const customer = args.customerId ? await findCustomer(ctx, args.customerId) : undefined;
      // No customer has the empty id, so that an unknown one filters everything out.
      const customerId = customer === null ? '' : customer?.id;
      return listEvents(ctx, { kinds: args.types, customerId }, args);
    },
  }),
);
