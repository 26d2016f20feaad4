import { exponentOf } from '../../../domain/money.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { brandingField, localeField, localesField } from '../../organizations/types/page.ts';
import { loadOfferedFeatures } from '../../plan-features/load-offered.ts';
import { OfferedFeature } from '../../plan-features/types.ts';
import { BillingInterval } from '../../plans/enums.ts';
import type { PricingPageState, ShownPlan } from '../load-page.ts';
import type { Purchase } from '../purchase.ts';
import type { ShownPrice } from '../rules.ts';

const PricingPagePrice = builder.objectRef<ShownPrice>('PricingPagePrice').implement({
  description: 'What a new customer pays for a plan.',
  fields: (t) => ({
    billingInterval: t.expose('interval', { type: BillingInterval, description: 'How often it is paid.' }),
    price: t.expose('priceMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'List price per interval, minor units of `currency`, before tax.',
    }),
    currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217 code.' }),
    currencyDecimals: t.field({
      type: 'Int',
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    saving: t.expose('savingMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'What it saves against the shortest interval shown over the same time, minor units; a year has 52 weeks. 0 where it saves nothing.',
    }),
    trialDays: t.exposeInt('trialDays', { description: 'Days before the first charge; 0 without a trial.' }),
  }),
});

const PricingPagePlan = builder.objectRef<ShownPlan>('PricingPagePlan').implement({
  description: 'A plan on the page of a pricing table.',
  fields: (t) => ({
    planId: t.id({
      description: 'Names it in `pricingTablePurchase`.',
      resolve: ({ plan }) => plan.id,
    }),
    name: t.string({ description: 'What the plan is called.', resolve: ({ plan }) => plan.name }),
    text: t.exposeString('text', {
      nullable: true,
      description: 'What the table says of it, else its description; null for nothing.',
    }),
    isHighlighted: t.exposeBoolean('isHighlighted', { description: 'Whether it stands out.' }),
    isFree: t.boolean({
      description:
        'Whether it costs nothing: then there is nothing to buy, and `signUpUrl` of the page leads on.',
      resolve: ({ plan }) => plan.isFree,
    }),
    features: t.field({
      type: [OfferedFeature],
      description: 'What it includes, in the order of the plan.',
      resolve: ({ plan }, _args, ctx) => loadOfferedFeatures(ctx, plan.id),
    }),
    prices: t.field({
      type: [PricingPagePrice],
      description: 'Its prices, the shortest interval first; empty for a free plan.',
      resolve: ({ prices }) => [...prices],
    }),
  }),
});

export const PricingPage = builder.objectRef<PricingPageState>('PricingPage').implement({
  description: 'What the page of a pricing table shows to everybody.',
  fields: (t) => ({
    name: t.string({ description: 'The heading.', resolve: ({ table }) => table.name }),
    branding: t.field(brandingField),
    locale: t.field(localeField<PricingPageState>(() => ({}))),
    locales: t.field(localesField),
    country: t.exposeString('country', {
      nullable: true,
      description: 'The country the prices are for; null where none was named.',
    }),
    intervals: t.field({
      type: [BillingInterval],
      description: 'The intervals the plans are offered for, the shortest first.',
      resolve: ({ intervals }) => [...intervals],
    }),
    plans: t.field({
      type: [PricingPagePlan],
      description: 'The public plans that are on sale, in the order of the table.',
      resolve: ({ plans }) => [...plans],
    }),
    signUpUrl: t.string({
      nullable: true,
      description: 'Where a visitor signs up for a free plan; null for nowhere.',
      resolve: ({ table }) => table.signUpUrl,
    }),
    livemode: t.boolean({
      description: 'False in the sandbox, where nothing is charged.',
      resolve: (_page, _args, ctx) => ctx.livemode,
    }),
  }),
});

export const PricingPurchase = builder.objectRef<Purchase>('PricingPurchase').implement({
  description: 'A purchase that was begun at a pricing table.',
  fields: (t) => ({
    checkoutUrl: t.exposeString('checkoutUrl', { description: 'The page at which it is paid.' }),
  }),
});
