import type { Currency as CurrencyCode } from '../../domain/money.ts';
import { builder } from '../../graphql/builder.ts';

// The closed lists of plans and prices, as the Prisma schema has them; subscriptions use them too.

export const BillingInterval = builder.enumType('BillingInterval', {
  description: 'How often the plan base is charged.',
  values: {
    weekly: { description: 'Every 7 days.' },
    monthly: { description: 'Every month.' },
    quarterly: { description: 'Every 3 months.' },
    yearly: { description: 'Every 12 months.' },
    one_time: { description: 'Once.' },
  } as const,
});

export const ConsumptionModel = builder.enumType('ConsumptionModel', {
  description: "How a plan's usage is paid for.",
  values: {
    metered: { description: 'Included units per window, overage afterwards.' },
    credits: { description: 'Credits that usage draws down.' },
    balance: { description: 'Prepaid money that usage draws down.' },
  } as const,
});

export const PricingMode = builder.enumType('PricingMode', {
  description: 'How the price of a unit is found.',
  values: {
    fixed: { description: 'The plan says it.' },
    ai_model: {
      description: 'From the catalog of AI models, plus the margin; usage features of balance plans only.',
    },
  } as const,
});

const currencyNames: { readonly [code in CurrencyCode]: { readonly description: string } } = {
  usd: { description: 'US dollar.' },
  ars: { description: 'Argentine peso.' },
  brl: { description: 'Brazilian real.' },
  clp: { description: 'Chilean peso; no decimals.' },
  cop: { description: 'Colombian peso.' },
  pen: { description: 'Peruvian sol.' },
  uyu: { description: 'Uruguayan peso.' },
  pyg: { description: 'Paraguayan guaraní; no decimals.' },
  bob: { description: 'Bolivian boliviano.' },
  mxn: { description: 'Mexican peso.' },
  cad: { description: 'Canadian dollar.' },
  eur: { description: 'Euro.' },
  jpy: { description: 'Japanese yen; no decimals.' },
  cny: { description: 'Chinese renminbi.' },
  krw: { description: 'South Korean won; no decimals.' },
  hkd: { description: 'Hong Kong dollar.' },
  sgd: { description: 'Singapore dollar.' },
  twd: { description: 'New Taiwan dollar.' },
  inr: { description: 'Indian rupee.' },
  thb: { description: 'Thai baht.' },
};

export const Currency = builder.enumType('Currency', {
  description: 'Currencies that can be charged in, by their ISO 4217 codes in lower case.',
  values: currencyNames,
});
