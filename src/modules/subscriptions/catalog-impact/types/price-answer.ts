import type { PriceOutcome, PricePlace, PriceStep } from '../../../../domain/pricing/resolve.ts';
import { columnsOf } from '../../../../graphql/declare/columns.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Market } from '../../../catalog/markets/types.ts';
import { PlanPrice } from '../../../catalog/plan-prices/types.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import type { PriceAnswer } from '../find-price.ts';
import { loadIsDerived, loadMarket, loadPrice } from '../load-related.ts';

const PricePlaceType = builder.enumType('PricePlace', {
  description: 'Source that is searched for an amount: market, currency, or USD.',
  values: {
    market: { description: "The amount of the country's market." },
    currency: {
      description: "The amount in the requested currency, or otherwise in the country's currency.",
    },
    usd: { description: 'The amount in US dollars.' },
  } satisfies Record<PricePlace, { description: string }>,
});

const PriceOutcomeType = builder.enumType('PriceOutcome', {
  description: 'Outcome of a step in the price search.',
  values: {
    found: { description: 'The search found the amount that applies.' },
    no_market: { description: "The country isn't in a market, or no country was given." },
    no_currency: { description: 'The country has no supported currency, or no country was given.' },
    no_amount: {
      description: 'Neither the price nor its base price has an amount for this market or currency.',
    },
    other_currency: {
      description: "The market's amount isn't in the requested currency.",
    },
  } satisfies Record<PriceOutcome, { description: string }>,
});

type AnswerStep = PriceStep & { readonly priceId: string };

const PriceStepType = builder.objectRef<AnswerStep>('PriceStep').implement({
  description: 'A step in the search for the amount that applies.',
  fields: (t) => ({
    place: t.member('place', PricePlaceType).describe('Source that the step searched for an amount.'),
    outcome: t.member('outcome', PriceOutcomeType).describe('Outcome of the step.'),
    currency: t.field({
      type: Currency,
      nullable: true,
      description:
        'Currency of the amount that the step found or searched for, as a lowercase ISO 4217 code. `null` if the step has no currency.',
      resolve: ({ currency }) => currency as typeof Currency.$inferType | null,
    }),
    isFromBase: t.boolean({
      description: 'Whether the price is a price variant that uses the amount of its base price.',
      resolve: ({ override, priceId }) => override !== null && override.priceId !== priceId,
    }),
    isDerived: t.boolean({
      description: 'Whether the amount is derived from the USD amount by the exchange rate.',
      resolve: ({ override }, _args, ctx) => loadIsDerived(ctx, override?.id ?? null),
    }),
  }),
});

export const PriceAnswerType = builder.objectRef<PriceAnswer>('PriceAnswer').implement({
  description: 'Price that a customer pays for a plan, and the steps that determine the price.',
  fields: (t) => ({
    price: t.field({
      type: PlanPrice,
      description: 'Plan price that applies to a new customer.',
      resolve: ({ found }, _args, ctx, info) => loadPrice(ctx, found.price.id, columnsOf(info)),
    }),
    amount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount per billing interval in minor units of `currency`, before offers and tax.',
      resolve: ({ found }) => found.amountMinor,
    }),
    currency: t.field({
      type: Currency,
      description: 'Currency of the amount, as a lowercase ISO 4217 code.',
      resolve: ({ found }) => found.currency as typeof Currency.$inferType,
    }),
    market: t.field({
      type: Market,
      nullable: true,
      description: "Market that contains the country. `null` if the country isn't in a market.",
      resolve: ({ found }, _args, ctx, info) => loadMarket(ctx, found.market, columnsOf(info)),
    }),
    trialDays: t.int({
      description: 'Length of the free trial in days.',
      resolve: ({ found }) => found.trialDays,
    }),
    includedBalance: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Balance granted per usage window, in ten-thousandths of the currency unit (10,000 = 1.00). `null` if the plan has no balance.',
      resolve: ({ found }) => found.includedBalanceRate,
    }),
    includedCredits: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Credits granted per usage window. `null` if the plan has no credits.',
      resolve: ({ found }) => found.includedCredits,
    }),
    steps: t.field({
      type: [PriceStepType],
      description: 'Steps of the price search, in order. The last step found the amount.',
      resolve: ({ found, steps }) => steps.map((step) => ({ ...step, priceId: found.price.id })),
    }),
  }),
});
