import type { PriceOutcome, PricePlace, PriceStep } from '../../../domain/pricing/resolve.ts';
import { builder } from '../../../graphql/builder.ts';
import { columnsOf } from '../../../graphql/columns.ts';
import { Currency } from '../../currencies/enums.ts';
import { Market } from '../../markets/types.ts';
import { PlanPrice } from '../../plan-prices/types.ts';
import type { PriceAnswer } from '../find-price.ts';
import { loadIsDerived, loadMarket, loadPrice } from '../load-related.ts';

const PricePlaceType = builder.enumType('PricePlace', {
  description: 'Where an amount is looked for.',
  values: {
    market: { description: 'The amount of the market the country is in.' },
    currency: { description: "The amount in the currency that is asked for, else in the country's." },
    usd: { description: 'The amount in US dollars.' },
  } satisfies Record<PricePlace, { description: string }>,
});

const PriceOutcomeType = builder.enumType('PriceOutcome', {
  description: 'What the search for an amount met at a place.',
  values: {
    found: { description: 'The amount that counts.' },
    no_market: { description: 'The country is in no market, or no country is known.' },
    no_currency: { description: 'The country has no currency that is supported, or no country is known.' },
    no_amount: { description: 'The price has no amount there, and neither has its base.' },
    other_currency: {
      description: 'The amount of the market is in another currency than the one asked for.',
    },
  } satisfies Record<PriceOutcome, { description: string }>,
});

type AnswerStep = PriceStep & { readonly priceId: string };

const PriceStepType = builder.objectRef<AnswerStep>('PriceStep').implement({
  description: 'One step of the search for an amount.',
  fields: (t) => ({
    place: t.expose('place', { type: PricePlaceType, description: 'Where the search looked.' }),
    outcome: t.expose('outcome', { type: PriceOutcomeType, description: 'What it met.' }),
    currency: t.field({
      type: Currency,
      nullable: true,
      description: 'Lower-case ISO 4217, of the amount or of what was looked for; null without one.',
      resolve: ({ currency }) => currency as typeof Currency.$inferType | null,
    }),
    isFromBase: t.boolean({
      description: 'True when a variant takes the amount of its base.',
      resolve: ({ override, priceId }) => override !== null && override.priceId !== priceId,
    }),
    isDerived: t.boolean({
      description: 'True when the amount is derived from the US dollar amount by the exchange rate.',
      resolve: ({ override }, _args, ctx) => loadIsDerived(ctx, override?.id ?? null),
    }),
  }),
});

export const PriceAnswerType = builder.objectRef<PriceAnswer>('PriceAnswer').implement({
  description: 'What a customer pays for a plan, and why.',
  fields: (t) => ({
    price: t.field({
      type: PlanPrice,
      description: 'The price that is meant.',
      resolve: ({ found }, _args, ctx, info) => loadPrice(ctx, found.price.id, columnsOf(info)),
    }),
    amount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Per billing interval, in minor units of `currency`, before offers and tax.',
      resolve: ({ found }) => found.amountMinor,
    }),
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217.',
      resolve: ({ found }) => found.currency as typeof Currency.$inferType,
    }),
    market: t.field({
      type: Market,
      nullable: true,
      description: 'The market of the country; null outside all markets.',
      resolve: ({ found }, _args, ctx, info) => loadMarket(ctx, found.market, columnsOf(info)),
    }),
    trialDays: t.int({
      description: 'Days of trial before the first charge.',
      resolve: ({ found }) => found.trialDays,
    }),
    includedBalance: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Per consumption window; 10 000 is 1.00 of the currency. Null unless the plan has a balance.',
      resolve: ({ found }) => found.includedBalanceRate,
    }),
    includedCredits: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Per consumption window. Null unless the plan has credits.',
      resolve: ({ found }) => found.includedCredits,
    }),
    steps: t.field({
      type: [PriceStepType],
      description: 'Where the amount was looked for, in order; the last step has it.',
      resolve: ({ found, steps }) => steps.map((step) => ({ ...step, priceId: found.price.id })),
    }),
  }),
});
