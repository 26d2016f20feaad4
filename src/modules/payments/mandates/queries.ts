import { restView } from '../../../graphql/declare/rest.ts';
import { reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { single, withMembers } from '../../../graphql/reading/list-rows.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { MandateStatus } from '../transactions/enums.ts';
import { Mandate } from '../transactions/types/payment-method.ts';
import { mandateList } from './list.ts';
import { requireMandate } from './store.ts';

const MandateConnection = connectionOf('Mandate', Mandate, 'mandates');

builder.queryField('mandates', (t) =>
  t.field({
    type: MandateConnection,
    description:
      'Lists mandates: permissions of payers to debit their bank accounts. Newest first by default.',
    rest: { method: 'GET', path: '/mandates', view: 'Mandate' },
    access: { scope: 'read' },
    args: {
      ...mandateList.args,
      status: t.arg({ type: MandateStatus, description: 'Status of the mandates to include.' }),
      customerId: t.arg.id({ rule: reference, description: 'ID of the customer whose mandates to include.' }),
    },
    resolve: (_root, { status, customerId, ...args }, ctx, info) => {
      const members = { statuses: single(status), customerIds: single(customerId) };
      return readList(ctx, mandateList, withMembers(args, members), { info });
    },
  }),
);

builder.queryField('mandate', (t) =>
  t.field({
    type: Mandate,
    description: 'Returns a mandate.',
    rest: { method: 'GET', path: '/mandates/{id}', view: 'Mandate' },
    errors: [['not_found', "the mandate doesn't exist"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, rule: reference, description: 'ID of the mandate.' }) },
    resolve: (_root, { id }, ctx) => requireMandate(ctx, id),
  }),
);

restView(
  'Mandate',
  'Mandate',
  'id status reference acceptedAt textVersion endedAt endedBy reason paymentMethod { id instrument last4 } customer { id externalId } livemode',
);
