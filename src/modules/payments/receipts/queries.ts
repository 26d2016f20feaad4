import { builder } from '../../../graphql/reading/builder.ts';
import { single, withMembers } from '../../../graphql/reading/list-rows.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { ReceiptStatus } from './enums.ts';
import { receiptList } from './list.ts';
import { requireReceipt } from './store.ts';
import { Receipt, ReceiptConnection } from './types.ts';

builder.queryField('receipts', (t) =>
  t.field({
    type: ReceiptConnection,
    description: 'Lists receipts: money that payers sent without a charge. Newest first by default.',
    rest: { method: 'GET', path: '/receipts', view: 'Receipt' },
    access: { scope: 'read' },
    args: {
      ...receiptList.args,
      status: t.arg({ type: ReceiptStatus, description: 'Status of the receipts to include.' }),
    },
    resolve: (_root, { status, ...args }, ctx, info) =>
      readList(ctx, receiptList, withMembers(args, { statuses: single(status) }), { info }),
  }),
);

builder.queryField('receipt', (t) =>
  t.field({
    type: Receipt,
    description: 'Returns a receipt.',
    rest: { method: 'GET', path: '/receipts/{id}', view: 'Receipt' },
    errors: [['not_found', "the receipt doesn't exist"]],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the receipt.' }) },
    resolve: (_root, { id }, ctx) => requireReceipt(ctx, id),
  }),
);
