import { builder } from '../../graphql/builder.ts';
import { listRows, pageArgs } from '../../graphql/pagination.ts';
import { requireCustomer } from '../customers/service.ts';
import { LetterKind } from '../organizations/types.ts';
import { LetterConnection, LetterStatus } from './types.ts';

builder.queryField('letters', (t) =>
  t.field({
    type: LetterConnection,
    description: 'Letters customers got by themselves or are to get, newest first. Those asked for by `invoiceSend` are not among them.',
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      customerId: t.arg.string({ description: 'Our id of a customer, else its external id; `customer_not_found` when there is none.' }),
      kind: t.arg({ type: LetterKind, description: 'Only those about this.' }),
      status: t.arg({ type: LetterStatus, description: 'Only those that have come this far.' }),
    },
    resolve: async (_root, { customerId, kind, status, ...page }, context) => {
      const customer = customerId ? await requireCustomer(context, customerId, 'customerId') : undefined;
      const filter = { customerId: customer?.id, kind: kind ?? undefined, status: status ?? undefined };
      return listRows(context, 'Letter', page, { filter });
    },
  }),
);
