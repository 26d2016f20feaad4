import { isExpired, paysLines } from '../../../domain/lots/account.ts';
import { isCredit } from '../../../domain/lots/credits.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { LotUse } from './enums.ts';
import {
  type LotAccount,
  type LotWorth,
  loadCurrentPools,
  loadFeatureCodes,
  loadPools,
  loadWorth,
} from './store.ts';

export const LotRefundPreview = builder.objectRef<LotWorth>('LotRefundPreview').implement({
  description: 'Worth of the remaining amount of a purchased lot.',
  fields: (t) => ({
    amount: t
      .member('amountMinor', 'MINOR')
      .describe('Share of the price before tax, in the smallest currency unit, rounded down.'),
    currency: t.member('currency', Currency).describe('Currency of the amount.'),
  }),
});

export const Lot = builder.prismaObject('Lot', {
  ...node({ prefix: 'lot' }),
  description:
    'Granted or purchased credits or balance, or a customer credit. Usage draws on lots with a lower priority first, and then on lots that end sooner. Invoices draw on customer credits.',
  fields: (t) => ({
    ...t.columns('id', 'asset', 'source', 'description', 'priority', 'amount'),
    drawnBy: t.computed({
      type: LotUse,
      description:
        'Objects that draw on the lot: usage, or invoices if the lot is a customer credit or a commitment that pays usage lines.',
      columns: ['source', 'commitment'],
      resolve: (lot) => (isCredit(lot) || paysLines(lot) ? ('invoices' as const) : ('usage' as const)),
    }),
    remaining: t.computed({
      type: 'SafeInt',
      description:
        'Remaining amount, in credits or in ten-thousandths of the currency unit (10,000 = 1.00). 0 if the lot has expired. Negative only for overdrafts.',
      columns: ['remaining', 'expiresAt', 'endsWithWindow'],
      resolve: (lot, _args, ctx) => (isExpired(lot, ctx.clock.now()) ? 0n : lot.remaining),
    }),
    featureCodes: t.computed({
      type: ['String'],
      description: 'Codes of the features whose usage can draw on the lot. Empty if all usage can.',
      columns: ['features'],
      resolve: ({ features }, _args, ctx) => loadFeatureCodes(ctx, features),
    }),
    paid: t.column('paidMinor'),
    ...t.columns('endsWithWindow', 'effectiveAt', 'expiresAt'),
    subscription: t.row('subscription', {
      description: 'Subscription whose usage draws on the lot. `null` if the lot is a customer credit.',
    }),
    invoice: t.rowById('Invoice', {
      id: ({ sourceId }) => (sourceId?.startsWith('inv_') === true ? sourceId : null),
      nullable: true,
      description:
        'Invoice that paid for the lot, or of the plan change that created the customer credit. `null` if no invoice created the lot.',
    }),
    worth: t.computed({
      type: LotRefundPreview,
      nullable: true,
      description:
        "Worth of the remaining amount: its share of the price before tax. `null` if the lot wasn't purchased.",
      columns: ['subscriptionId', 'paidMinor', 'amount', 'remaining', 'expiresAt', 'endsWithWindow'],
      resolve: (lot, _args, ctx) => loadWorth(ctx, lot),
    }),
    ...t.resource('lot'),
  }),
});

export const LotConnection = connectionOf('Lot', Lot, 'lots');

export const Account = builder.objectRef<LotAccount>('Account').implement({
  description: 'Credits or balance of a subscription, or credits of a customer. Consists of lots.',
  fields: (t) => ({
    drawnBy: t
      .member('drawnBy', LotUse)
      .describe("Objects that draw on the account: the subscription's usage, or the customer's invoices."),
    asset: t
      .member('asset', 'String')
      .describe('Code of a custom unit such as `credits`, or the lowercase code of a currency.'),
    amount: t
      .member('amount', 'SafeInt')
      .describe(
        'Sum of the lots that have not expired, in the smallest amount of the unit or in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    lots: t.field({
      type: [Lot],
      description: 'Lots that have not been closed, in the order in which usage or invoices draw on them.',
      resolve: ({ lots }) => [...lots],
    }),
  }),
});

builder.prismaObjectField('Customer', 'pools', (t) =>
  t.computed({
    type: [Account],
    description:
      "Credits, custom units, or balance on which the usage of the customer's current subscription draws. Doesn't contain customer credits, because only invoices draw on them; `accounts` contains both. Empty if the plan only counts units, or if no subscription gives access.",
    columns: ['id'],
    resolve: ({ id }, _args, ctx) => loadCurrentPools(ctx, id),
  }),
);

builder.prismaObjectField('Subscription', 'pools', (t) =>
  t.field({
    type: [Account],
    description:
      "Credits, custom units, or balance on which the subscription's usage draws. Doesn't contain customer credits, because only invoices draw on them. Empty if the plan only counts units or the subscription doesn't give access.",
    resolve: (subscription, _args, ctx) => loadPools(ctx, subscription),
  }),
);

restView(
  'Lot',
  'Lot',
  'id asset source drawnBy description priority amount remaining paid featureCodes endsWithWindow effectiveAt expiresAt object livemode',
);
