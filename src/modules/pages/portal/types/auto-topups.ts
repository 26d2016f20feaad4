import { isLow } from '../../../../domain/topups/decide.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { AutoTopUpReason, AutoTopUpStatus } from '../../../subscriptions/auto-topups/enums.ts';
import {
  loadAvailable,
  loadMonthUse,
  loadTopUpsOf,
  type TopUpRow,
} from '../../../subscriptions/auto-topups/store.ts';
import { AutoTopUpRefill, AutoTopUpUse } from '../../../subscriptions/auto-topups/types.ts';
import { PortalSubscription } from './subscription.ts';

const PortalAutoTopUp = builder.objectRef<TopUpRow>('PortalAutoTopUp').implement({
  description: "Automatic top-up of a customer's credits or balance.",
  fields: (t) => ({
    asset: t
      .member('asset', 'String')
      .describe('Code of a custom unit such as `credits`, or the lowercase code of a currency.'),
    status: t.member('status', AutoTopUpStatus).describe('Status of the automatic top-up.'),
    threshold: t
      .member('threshold', 'SafeInt')
      .describe(
        'Available amount at or below which the account is topped up, in the smallest amount of the unit or in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    refill: t.field({
      type: AutoTopUpRefill,
      description: 'Purchase of the top-up.',
      resolve: ({ refill }) => refill,
    }),
    maxPerMonth: t.member('maxPerMonth', 'Int').describe('Maximum number of purchases in a calendar month.'),
    maxAmountPerMonth: t
      .member('maxAmountPerMonth', 'MINOR')
      .describe(
        "Maximum sum of purchases in a calendar month including tax, in the smallest unit of the subscription's currency.",
      ),
    minPause: t.member('minPause', 'Int').describe('Minimum number of minutes between two purchases.'),
    reason: t.field({
      type: AutoTopUpReason,
      nullable: true,
      description:
        "Reason why the account isn't topped up although it's low. `null` if it isn't low, or if a refill is due or in progress.",
      resolve: async (row, _args, ctx) =>
        row.reason !== null && isLow(row, await loadAvailable(ctx, row)) ? row.reason : null,
    }),
    usedThisMonth: t.field({
      type: AutoTopUpUse,
      description: "Purchases in the current calendar month of the customer's time zone.",
      resolve: (row, _args, ctx) => loadMonthUse(ctx, row),
    }),
  }),
});

builder.prismaObjectField(PortalSubscription, 'autoTopUps', (t) =>
  t.computed({
    type: [PortalAutoTopUp],
    description: 'Automatic top-ups of the accounts of the subscription, in order of creation.',
    columns: ['id', 'customerId'],
    resolve: async ({ id, customerId }, _args, ctx) =>
      (await loadTopUpsOf(ctx, customerId)).filter(({ subscriptionId }) => subscriptionId === id),
  }),
);
