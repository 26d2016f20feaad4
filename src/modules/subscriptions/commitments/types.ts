import { isExpired } from '../../../domain/lots/account.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf, pageArgs } from '../../../graphql/reading/pagination.ts';
import { InvoiceLineItem } from '../../invoices/invoices/types/lines.ts';
import { CommitmentEnd, CommitmentStatus, CommitmentUse } from './enums.ts';
import { loadCommitments, loadDrawn, termsOf } from './store.ts';

export const Commitment = builder.prismaObject('Lot', {
  variant: 'Commitment',
  ...node({ prefix: 'cmt', where: { source: 'commitment' } }),
  description:
    'Prepaid commitment: an amount that was purchased for a term, and that pays for usage before other charges.',
  fields: (t) => ({
    id: t.column('id', {
      description: 'Unique identifier with the prefix `cmt_`. Also identifies the lot of the commitment.',
    }),
    asset: t.column('asset'),
    appliesTo: t.computed({
      type: CommitmentUse,
      description: 'Charges that the commitment pays for.',
      columns: ['commitment'],
      resolve: (lot) => termsOf(lot).appliesTo,
    }),
    status: t.computed({
      type: CommitmentStatus,
      description: 'Status of the commitment.',
      columns: ['isOpen', 'expiresAt', 'endsWithWindow'],
      resolve: (lot, _args, ctx) =>
        lot.isOpen && !isExpired(lot, ctx.clock.now()) ? ('active' as const) : ('ended' as const),
    }),
    description: t.column('description', {
      description: 'Description, which invoices show. `null` if the commitment has no description.',
    }),
    price: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description: "Price of a term before tax, in the smallest unit of the subscription's currency.",
      columns: ['commitment'],
      resolve: (lot) => BigInt(termsOf(lot).price),
    }),
    grant: t.column('amount', {
      description:
        'Amount that was purchased, in the smallest amount of the unit or in ten-thousandths of the currency unit (10,000 = 1.00).',
    }),
    remaining: t.computed({
      type: 'SafeInt',
      description: 'Remaining amount, in the unit of `grant`. 0 if the commitment has ended.',
      columns: ['remaining', 'expiresAt', 'endsWithWindow'],
      resolve: (lot, _args, ctx) => (isExpired(lot, ctx.clock.now()) ? 0n : lot.remaining),
    }),
    drawn: t.computed({
      type: 'SafeInt',
      description:
        'Amount that usage or invoices drew, without returned amounts, in the unit of `grant`. Stays known after the commitment has ended.',
      columns: ['id'],
      resolve: ({ id }, _args, ctx) => loadDrawn(ctx, id),
    }),
    validMonths: t.computed({
      type: 'Int',
      description: 'Number of months in a term.',
      columns: ['commitment'],
      resolve: (lot) => termsOf(lot).validMonths,
    }),
    atEnd: t.computed({
      type: CommitmentEnd,
      description: 'Effect of the end of the term on the remaining amount.',
      columns: ['commitment'],
      resolve: (lot) => termsOf(lot).atEnd,
    }),
    autoRenew: t.computed({
      type: 'Boolean',
      description: 'Whether the end of the term purchases the commitment again.',
      columns: ['commitment'],
      resolve: (lot) => termsOf(lot).autoRenew,
    }),
    startsAt: t.column('effectiveAt', { description: 'Time from which the commitment pays for usage.' }),
    expiresAt: t.column('expiresAt', { description: 'End of the current term. Never `null`.' }),
    subscription: t.row('subscription', {
      description: 'Subscription whose usage the commitment pays for. Never `null`.',
    }),
    invoice: t.rowById('Invoice', {
      id: 'sourceId',
      nullable: true,
      description: 'Invoice that paid for the commitment. Never `null`.',
    }),
    ...t.resource('commitment'),
  }),
});

export const CommitmentConnection = connectionOf('Commitment', Commitment, 'prepaid commitments');

builder.prismaObjectField('Subscription', 'commitments', (t) =>
  t.computed({
    type: CommitmentConnection,
    description: 'Prepaid commitments of the subscription, newest first. Includes ended commitments.',
    args: pageArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx) => loadCommitments(ctx, id, args),
  }),
);

restView(
  'Commitment',
  'Commitment',
  'id asset appliesTo status description price grant remaining drawn validMonths atEnd autoRenew startsAt expiresAt object livemode',
);

builder.objectField(InvoiceLineItem, 'commitment', (t) =>
  t.rowById('Lot', {
    type: Commitment,
    id: ({ creditId }) => (creditId?.startsWith('cmt_') === true ? creditId : null),
    nullable: true,
    description:
      "Prepaid commitment that the line item applies. `null` if the line item doesn't apply a commitment.",
  }),
);
