import { exponentOf } from '../../../../domain/money/money.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { loadOfferedFeatures } from '../../../catalog/plan-features/load-offered.ts';
import { OfferedFeature } from '../../../catalog/plan-features/types.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { brandingField, localeField, localesField } from '../../../organization/organizations/types/page.ts';
import type { PricingPageState, ShownPlan } from '../load-page.ts';
import type { Purchase } from '../purchase.ts';
import type { ShownPrice } from '../rules.ts';

const PricingPagePrice = builder.objectRef<ShownPrice>('PricingPagePrice').implement({
  description: 'Price that a new customer pays for a plan.',
  fields: (t) => ({
    billingInterval: t.expose('interval', {
      type: BillingInterval,
      description: 'Interval at which the price is charged.',
    }),
    price: t.expose('priceMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'List price per interval before tax, in minor units of `currency`.',
    }),
    currency: t.expose('currency', { type: Currency, description: 'Lowercase ISO 4217 code.' }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Number of decimals of the currency: 0 or 2.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    saving: t.expose('savingMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Savings compared with the shortest shown interval over the same period of time, in minor units of `currency`. A year has 52 weeks. 0 if there are no savings.',
    }),
    includedCredits: t.expose('includedCredits', {
      type: 'SafeInt',
      nullable: true,
      description: 'Credits included per interval. `null` if the plan includes no credits.',
    }),
    includedBalance: t.expose('includedBalanceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Prepaid balance included per interval, in ten-thousandths of the unit of `currency` (10,000 = 1.00). `null` if the plan includes no balance.',
    }),
    trialDays: t.exposeInt('trialDays', {
      description: 'Length of the free trial in days. 0 if the plan has no trial.',
    }),
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
    text: t.exposeString('text', {
      nullable: true,
      description:
        "Text that the pricing table sets for the plan, or otherwise the plan's description. `null` if neither is set.",
    }),
    isHighlighted: t.exposeBoolean('isHighlighted', { description: 'Whether the plan is highlighted.' }),
    isFree: t.boolean({
      description:
        "Whether the plan is free. Free plans can't be purchased; the page links to `signUpUrl` instead.",
      resolve: ({ plan }) => plan.isFree,
    }),
    features: t.field({
      type: [OfferedFeature],
      description: 'Features of the plan, in the order in which they were added.',
      resolve: ({ plan }, _args, ctx) => loadOfferedFeatures(ctx, plan.id),
    }),
    prices: t.field({
      type: [PricingPagePrice],
      description: 'Prices of the plan, shortest interval first. Empty if the plan is free.',
      resolve: ({ prices }) => [...prices],
    }),
  }),
});

export const PricingPage = builder.objectRef<PricingPageState>('PricingPage').implement({
  description: 'The public page of a pricing table.',
  fields: (t) => ({
    name: t.string({ description: 'Heading of the page.', resolve: ({ table }) => table.name }),
    branding: t.field(brandingField),
    locale: t.field(localeField<PricingPageState>(() => ({}))),
    locales: t.field(localesField),
    country: t.exposeString('country', {
      nullable: true,
      description: 'Country whose prices are shown. `null` if no country was given.',
    }),
    intervals: t.field({
      type: [BillingInterval],
      description: 'Billing intervals offered on the page, shortest first.',
      resolve: ({ intervals }) => [...intervals],
    }),
    plans: t.field({
      type: [PricingPagePlan],
      description: 'Public plans that can be purchased, in the order of the table.',
      resolve: ({ plans }) => [...plans],
    }),
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
    checkoutUrl: t.exposeString('checkoutUrl', { description: 'URL of the checkout page.' }),
  }),
});
