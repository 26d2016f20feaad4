import type { MonthUse } from '../../../domain/rows/topup-rows.ts';
import { isLow } from '../../../domain/topups/decide.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf, pageArgs } from '../../../graphql/reading/pagination.ts';
import { AutoTopUpReason } from './enums.ts';
import { loadAttempts, loadAvailable, loadMonthUse, loadTopUpsOf } from './store.ts';

export const AutoTopUpRefill = builder.objectRef<Stored.Refill>('AutoTopUpRefill').implement({
  description: 'Purchase of an automatic top-up.',
  fields: (t) => ({
    creditPackId: t.id({
      nullable: true,
      description: 'ID of the purchased credit pack. `null` if money is added.',
      resolve: (refill) => ('creditPackId' in refill ? refill.creditPackId : null),
    }),
    quantity: t.int({
      nullable: true,
      description: 'Number of purchased credit packs. `null` if money is added.',
      resolve: (refill) => ('creditPackId' in refill ? refill.quantity : null),
    }),
    amount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      nullable: true,
      description:
        "Added amount before tax, in the smallest unit of the subscription's currency. `null` if the refill isn't a fixed amount.",
      resolve: (refill) => ('amount' in refill ? BigInt(refill.amount) : null),
    }),
    target: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        "Balance to which the account is lifted, in ten-thousandths of the currency unit (10,000 = 1.00). `null` if the refill isn't a target.",
      resolve: (refill) => ('target' in refill ? BigInt(refill.target) : null),
    }),
  }),
});

const AutoTopUpConsent = builder.objectRef<Stored.TopUpConsent>('AutoTopUpConsent').implement({
  description: 'Consent of the customer to an automatic top-up.',
  fields: (t) => ({
    statement: t
      .maybe('statement', 'String')
      .describe('Text that the customer accepted. `null` if the consent is a reference.'),
    language: t.maybe('language', 'String').describe("Language of the text. `null` if it's unknown."),
    acceptedAt: t.field({
      type: 'DateTime',
      description: 'Time at which the customer agreed.',
      resolve: ({ acceptedAt }) => new Date(acceptedAt),
    }),
    acceptedBy: t
      .maybe('acceptedBy', 'String')
      .describe("Person who agreed. `null` if you didn't provide the person."),
    reference: t
      .maybe('reference', 'String')
      .describe('Your reference of the consent, such as a contract. `null` if you provided a statement.'),
  }),
});

export const AutoTopUpUse = builder.objectRef<MonthUse>('AutoTopUpUse').implement({
  description:
    'Purchases of an automatic top-up in a calendar month, including purchases that are processing.',
  fields: (t) => ({
    count: t.member('count', 'Int').describe('Number of purchases.'),
    amount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: "Sum of the purchases including tax, in the smallest unit of the subscription's currency.",
      resolve: ({ amount }) => amount,
    }),
  }),
});

const AutoTopUpAttempt = builder.prismaObject('AutoTopUpAttempt', {
  ...node({ prefix: 'ata' }),
  description:
    "Attempt of an automatic top-up: a purchase, or an evaluation that didn't lead to one for a new reason.",
  fields: (t) => ({
    id: t.column('id'),
    status: t.column('status'),
    reason: t.column('reason'),
    declineCode: t.column('declineCode'),
    amount: t.column('amountMinor'),
    currency: t.column('currency'),
    invoice: t.rowById('Invoice', {
      id: 'invoiceId',
      nullable: true,
      description: 'Invoice of the purchase. `null` if nothing was charged.',
    }),
    createdAt: t.column('createdAt'),
  }),
});

const AutoTopUpAttemptConnection = connectionOf(
  'AutoTopUpAttempt',
  AutoTopUpAttempt,
  'attempts of an automatic top-up',
);

export const AutoTopUp = builder.prismaObject('AutoTopUp', {
  ...node({ prefix: 'atu', where: { removedAt: null } }),
  description: "Automatic top-up of a customer's credits or balance.",
  fields: (t) => ({
    id: t.column('id'),
    asset: t.column('asset'),
    status: t.column('status'),
    pausedReason: t.column('pausedReason'),
    pausedUntil: t.column('pausedUntil'),
    threshold: t.column('threshold'),
    refill: t.computed({
      type: AutoTopUpRefill,
      description: 'Purchase of the top-up.',
      columns: ['refill'],
      resolve: ({ refill }) => refill,
    }),
    maxPerMonth: t.column('maxPerMonth'),
    maxAmountPerMonth: t.column('maxAmountPerMonth'),
    minPause: t.column('minPause'),
    consent: t.computed({
      type: AutoTopUpConsent,
      nullable: true,
      description: 'Consent of the customer. `null` if the top-up was never turned on.',
      columns: ['consent'],
      resolve: ({ consent }) => consent,
    }),
    reason: t.computed({
      type: AutoTopUpReason,
      nullable: true,
      description:
        "Reason why the account isn't topped up although it's low. `null` if it isn't low, or if a refill is due or in progress.",
      columns: ['id', 'reason', 'threshold', 'subscriptionId', 'asset'],
      resolve: async (row, _args, ctx) =>
        row.reason !== null && isLow(row, await loadAvailable(ctx, row)) ? row.reason : null,
    }),
    nextAt: t.column('nextAt'),
    available: t.computed({
      type: 'SafeInt',
      description:
        'Available amount of the account, in the smallest amount of the unit or in ten-thousandths of the currency unit (10,000 = 1.00).',
      columns: ['subscriptionId', 'asset'],
      resolve: (row, _args, ctx) => loadAvailable(ctx, row),
    }),
    usedThisMonth: t.computed({
      type: AutoTopUpUse,
      description: "Purchases in the current calendar month of the customer's time zone.",
      columns: ['id', 'customerId'],
      resolve: (row, _args, ctx) => loadMonthUse(ctx, row),
    }),
    attempts: t.computed({
      type: AutoTopUpAttemptConnection,
      description: 'Attempts, newest first.',
      args: pageArgs(),
      columns: ['id'],
      resolve: ({ id }, args, ctx) => loadAttempts(ctx, id, args),
    }),
    customer: t.row('customer', { description: 'Customer whose account is topped up.' }),
    subscription: t.row('subscription', { description: 'Subscription whose account is topped up.' }),
    createdAt: t.column('createdAt'),
    updatedAt: t.column('updatedAt'),
    ...t.resource('auto_topup'),
  }),
});

builder.prismaObjectField('Customer', 'autoTopUps', (t) =>
  t.computed({
    type: [AutoTopUp],
    description: "Automatic top-ups of the customer's accounts, in order of creation.",
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadTopUpsOf(ctx, id),
  }),
);

const refill = 'refill { creditPackId quantity amount target }';

restView(
  'AutoTopUp',
  'AutoTopUp',
  `id asset status pausedReason pausedUntil threshold ${refill} maxPerMonth maxAmountPerMonth minPause
    consent { statement language acceptedAt acceptedBy reference } reason nextAt available usedThisMonth { count amount }
    createdAt updatedAt object livemode`,
);
