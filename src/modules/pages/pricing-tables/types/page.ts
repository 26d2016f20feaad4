import { exponentOf } from '../../../../domain/money/money.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { loadOfferedFeatures } from '../../../catalog/plan-features/load-offered.ts';
import { loadOfferedRates, type OfferedIn } from '../../../catalog/plan-features/load-offered-rates.ts';
import { OfferedFeature } from '../../../catalog/plan-features/types.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { brandingField, localeField, localesField } from '../../../organization/organizations/types/page.ts';
import { PricingPageRate } from '../../offered-rates/types.ts';
import type { PricingPageState, ShownPlan } from '../load-page.ts';
import type { Purchase } from '../purchase.ts';
import type { ShownPrice } from '../rules.ts';

const PricingPagePrice = builder.objectRef<ShownPrice & OfferedIn>('PricingPagePrice').implement({
  description: 'Price that a new customer pays for a plan.',
  fields: (t) => ({
    billingInterval: t
      .member('interval', BillingInterval)
      .describe('Interval at which the price is charged.'),
    price: t
      .member('priceMinor', 'MINOR')
      .describe('List price per interval before tax, in minor units of `currency`.'),
    currency: t
      .member('currency', Currency)
      .describe('Currency of the amounts, as a lowercase ISO 4217 code.'),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Number of decimal places in the currency: 0, 2, or 3.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    saving: t
      .member('savingMinor', 'MINOR')
      .describe(
        'Savings compared with the shortest interval on the page, over the same period of time, in minor units of `currency`. Calculated with 52 weeks per year. 0 if there are no savings.',
      ),
    rates: t.field({
      type: [PricingPageRate],
      description:
        'Prices of units above the included amounts, in `currency` or in credits. Contains only features whose price is more than a price per unit.',
      resolve: (price, _args, ctx) => loadOfferedRates(ctx, price),
    }),
    includedCredits: t
      .maybe('includedCredits', 'SafeInt')
      .describe('Credits included per interval. `null` if the plan includes no credits.'),
    includedBalance: t
      .maybe('includedBalanceRate', 'RATE')
      .describe(
        'Prepaid balance included per interval, in ten-thousandths of the unit of `currency` (10,000 = 1.00). `null` if the plan includes no balance.',
      ),
    minimumSpend: t
      .maybe('minimumMinor', 'MINOR')
      .describe(
        'Minimum spend per interval before tax, in minor units of `currency`. `null` if the price has no minimum.',
      ),
    trialDays: t
      .member('trialDays', 'Int')
      .describe('Length of the free trial in days. 0 if the plan has no trial.'),
  }),
});

const PricingPagePlan = builder.objectRef<ShownPlan>('PricingPagePlan').implement({
  description: 'A plan on the page of a pricing table.',
  fields: (t) => ({
    planId: t.id({
      description: 'ID of the plan, as sent to `pricingTablePurchase`.',
      resolve: ({ plan }) => plan.id,
    }),
    name: t.string({ description: 'Name of the plan.', resolve: ({ plan }) => plan.name }),
    text: t
      .maybe('text', 'String')
      .describe(
        "Text that the pricing table sets for the plan, or otherwise the plan's description. `null` if the plan has no text and no description.",
      ),
    isHighlighted: t.member('isHighlighted', 'Boolean').describe('Whether the page highlights the plan.'),
    isFree: t.boolean({
      description:
        "Whether the plan is free. Free plans can't be purchased. Instead, the page links to `signUpUrl`.",
      resolve: ({ plan }) => plan.isFree,
    }),
    features: t.field({
      type: [OfferedFeature],
      description: 'Features of the plan, in the order in which they were added.',
      resolve: ({ plan }, _args, ctx) => loadOfferedFeatures(ctx, plan),
    }),
    prices: t.field({
      type: [PricingPagePrice],
      description: 'Prices of the plan, shortest interval first. Empty if the plan is free.',
      resolve: ({ plan, prices }) => prices.map((price) => ({ ...price, plan })),
    }),
  }),
});

export const PricingPage = builder.objectRef<PricingPageState>('PricingPage').implement({
  description: 'The public page of a pricing table.',
  fields: (t) => ({
    name: t.string({ description: 'Heading of the pricing page.', resolve: ({ table }) => table.name }),
    branding: t.field(brandingField),
    locale: t.field(localeField<PricingPageState>(() => ({}))),
    locales: t.field(localesField),
    country: t
      .maybe('country', 'String')
      .describe("Country for which prices are shown. `null` if the request didn't specify a country."),
    intervals: t
      .member('intervals', [BillingInterval])
      .describe('Billing intervals offered on the page, shortest first.'),
    plans: t
      .member('plans', [PricingPagePlan])
      .describe('Public plans that can be purchased, in display order.'),
    signUpUrl: t.string({
      nullable: true,
      description: 'URL where visitors sign up for a free plan. `null` if not set.',
      resolve: ({ table }) => table.signUpUrl,
    }),
    livemode: t.boolean({
      description: 'Whether the page charges real money. `false` in the sandbox.',
      resolve: (_page, _args, ctx) => ctx.livemode,
    }),
  }),
});

export const PricingPurchase = builder.objectRef<Purchase>('PricingPurchase').implement({
  description: 'A purchase that was started on a pricing table.',
  fields: (t) => ({
    checkoutUrl: t.member('checkoutUrl', 'String').describe('URL of the checkout page.'),
  }),
});
