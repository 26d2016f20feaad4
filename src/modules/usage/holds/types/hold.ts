import { isSettledLate } from '../../../../domain/holds/hold.ts';
import { exactText, ratio } from '../../../../domain/rates/exact.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import { loadFeatureCode } from '../../../catalog/features/store.ts';
import { loadBudgetKey } from '../../budgets/store.ts';
import { UsageThrottle } from '../../usage/types/throttle.ts';
import { UsageProperty } from '../../usage/types/usage.ts';
import { HoldExcess, UsageHoldStatus } from '../enums.ts';
import type { HoldShape } from '../track-steps.ts';

const quantityOf = ({ estimate: { scale } }: HoldShape, units: bigint): string =>
  exactText(ratio(units, BigInt(scale)));

export const UsageHold = builder.objectRef<HoldShape>('UsageHold').implement({
  ...node({ prefix: 'hld', model: 'UsageHold' }),
  description:
    'Reservation for usage whose quantity is known only after it ends, such as a call of an AI model. Limits, pools, and checks count open holds.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `hld_`.'),
    holdId: t
      .maybe('holdId', 'String')
      .describe("Identifier that you assigned to the hold. `null` if you didn't assign an identifier."),
    customerId: t.member('customerId', 'ID').describe('ID of the customer.'),
    customer: t.rowById('Customer', { id: 'customerId', description: 'Customer of the hold.' }),
    subscription: t.rowById('Subscription', {
      id: 'subscriptionId',
      description: 'Subscription that holds the feature.',
    }),
    featureCode: t.string({
      description: 'Code of the feature.',
      resolve: ({ featureCode, featureId }, _args, ctx) => featureCode ?? loadFeatureCode(ctx, featureId),
    }),
    feature: t.rowById('Feature', { id: 'featureId', description: 'Feature of the hold.' }),
    budgetKey: t.string({
      nullable: true,
      description: 'Key of the budget of the usage. `null` if the hold has no budget.',
      resolve: ({ budgetKey, budgetId }, _args, ctx) =>
        budgetKey === undefined ? loadBudgetKey(ctx, budgetId) : budgetKey,
    }),
    status: t.member('status', UsageHoldStatus).describe('Status of the hold.'),
    onExcess: t
      .member('onExcess', HoldExcess)
      .describe("Effect of the part of a settlement that the hold didn't reserve."),
    quantity: t.field({
      type: 'Decimal',
      description:
        'Reserved quantity in units, with extensions. For AI models, the sum of input and output tokens.',
      resolve: ({ estimate }) => estimate.quantity,
    }),
    outputTokens: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Reserved output tokens, which you can send to the AI model as the maximum. `null` if the estimate counts units.',
      resolve: ({ estimate: { outputTokens } }) => (outputTokens === null ? null : BigInt(outputTokens)),
    }),
    remaining: t.field({
      type: 'Decimal',
      description: 'Quantity that is still reserved. 0 if the hold has ended.',
      resolve: (hold) => quantityOf(hold, hold.units),
    }),
    settled: t.field({
      type: 'Decimal',
      description: 'Quantity of the usage that settled the hold so far.',
      resolve: (hold) => quantityOf(hold, hold.settled),
    }),
    amount: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Price of the estimate in major units of the currency. `null` if the price depends only on the total of the usage window.',
      resolve: ({ estimate }) => estimate.price,
    }),
    model: t.string({
      nullable: true,
      description: 'AI model of the estimate. `null` if the estimate counts units.',
      resolve: ({ estimate: { model } }) => model?.id,
    }),
    throttle: t.field({
      type: UsageThrottle,
      nullable: true,
      description:
        'Delay before the next usage. Only set in the response that opens or extends the hold. `null` if no limit throttles the usage.',
      resolve: ({ throttle }) => throttle,
    }),
    properties: t.member('properties', [UsageProperty]).describe('Custom properties of the usage.'),
    expiresAt: t.member('expiresAt', 'DateTime').describe('Time at which the hold expires, or expired.'),
    endedAt: t
      .maybe('endedAt', 'DateTime')
      .describe('Time at which the hold was settled, released, or expired. `null` if the hold is open.'),
    isSettledLate: t.boolean({
      description: 'Whether the hold was settled after it expired.',
      resolve: isSettledLate,
    }),
    createdAt: t
      .member('createdAt', 'DateTime')
      .describe("Time at which the hold was opened. In a sandbox, the test clock's time."),
    ...t.resource('usage_hold'),
  }),
});

export const UsageHoldConnection = connectionOf('UsageHold', UsageHold, 'holds');

export const usageHoldFields = `id holdId customerId featureCode budget: budgetKey status onExcess quantity outputTokens remaining settled amount model
  throttle { limitId delayMs } properties { property value } expiresAt endedAt createdAt object livemode`;

restView('UsageHold', 'UsageHold', usageHoldFields, {
  absentWhenUnset: ['budget', 'outputTokens', 'amount', 'model', 'throttle'],
});
