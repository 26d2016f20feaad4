import { exampleId } from './openapi-examples.ts';
import { receiptExamples } from './receipt-examples.ts';

/** Example request query and body, with REST names. The path is generated. */
export type RequestExample = {
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: Readonly<Record<string, unknown>>;
};

const [customerId, planId, offerId] = [exampleId('customer'), exampleId('plan'), exampleId('offer')];
const successUrl = 'https://example.com/thanks';
const apiCalls = { customerId, featureCode: 'api_calls' };
const seats = { customerId, featureCode: 'seats' };
const projects = { customerId, featureCode: 'projects' };

const catalog: Readonly<Record<string, RequestExample>> = {
  addonCreate: {
    body: {
      name: 'More API calls',
      featureId: exampleId('feature'),
      consumptionModel: 'metered',
      basePrice: 1_450,
      includedUnits: 500,
      overageRate: 125,
    },
  },
  planPoolSet: { body: { includedPerWindow: 1_000, rollover: { windows: 2, cap: 1_500 } } },
  assetCreate: { body: { code: 'gpu_seconds', name: 'GPU seconds', symbol: 's', decimals: 3 } },
  assetUpdate: { body: { name: 'GPU time' } },
  addonUpdate: { body: { name: 'Many more API calls', basePrice: 1_900 } },
  creditPackCreate: { body: { name: '1,000 credits', credits: 1_000, price: 2_500 } },
  creditPackUpdate: { body: { price: 2_900 } },
  exportCreate: {
    body: {
      kind: 'invoices',
      format: 'csv',
      gzip: true,
      columns: ['id', 'invoiceNumber', 'currency', 'total'],
      filter: { invoices: { statuses: ['paid'] } },
    },
  },
  exportScheduleCreate: {
    body: {
      kind: 'invoices',
      format: 'csv',
      frequency: 'monthly',
      isIncremental: true,
      deliveryUrl: 'https://files.example.com/billing/invoices.csv?signature=4f1c',
    },
  },
  exportScheduleUpdate: { body: { isActive: false } },
  featureCreate: { body: { name: 'API calls', code: 'api_calls', type: 'usage', unitName: 'call' } },
  featureUpdate: { body: { description: 'Calls of the public API.' } },
  marketCreate: { body: { name: 'South America', countryCodes: ['BR', 'CL'] } },
  marketUpdate: { body: { name: 'Brazil', countryCodes: ['BR'] } },
  addonRateSet: { body: { rate: { per: 1_000, amount: '0.90' } } },
  catalogImpact: {
    body: {
      change: { priceUpdate: { planId: exampleId('plan'), priceId: exampleId('plan_price'), price: 2_900 } },
    },
  },
  ratePreview: {
    body: {
      rate: {
        model: 'graduated',
        per: 1_000_000,
        tiers: [{ upTo: '1000000' }, { amount: '0.20' }],
      },
      quantities: ['1000000', '12500000'],
    },
  },
  planCreate: {
    body: { name: 'Pro', code: 'pro', description: 'For small teams.', consumptionModel: 'metered' },
  },
  planUpdate: { body: { description: 'For teams of up to ten.' } },
  planVisibilitySet: { body: { isPublic: false } },
  plans: { query: { includePrivate: true } },
  featureMeterPreview: {
    body: { aggregation: 'sum', step: '60', dimensions: [{ property: 'region' }] },
  },
  featureMeterSet: {
    body: { aggregation: 'sum', decimals: 3, filters: [{ property: 'region', in: ['eu', 'us'] }] },
  },
  planFeatureAdd: {
    body: {
      featureId: exampleId('feature'),
      includedAmount: 1_000,
      overage: { enabled: true, unitPrice: 25_000 },
    },
  },
  planFeatureUpdate: { body: { includedAmount: 2_000 } },
  planFeatureRateSet: {
    body: {
      rate: {
        model: 'graduated',
        tiers: [
          { upTo: '1000', amount: '0.0200' },
          { upTo: '10000', amount: '0.0150' },
          { upTo: null, amount: '0.0080' },
        ],
      },
    },
  },
  rateCardCreate: {
    body: {
      code: 'models',
      name: 'AI models',
      cells: [
        { when: { model: ['large'] }, rate: { amount: '0.0120' } },
        { when: { model: ['small'] }, rate: { amount: '0.0015' } },
      ],
      default: { amount: '0.0040' },
    },
  },
  rateCardUpdate: { body: { default: { amount: '0.0035' } } },
  aiModelPriceSet: { body: { prices: { input: '2.00', output: '8.00', cacheRead: '0.20' } } },
  planFeatureCostSet: { body: { rate: { amount: '0.0120' } } },
  planPriceAdd: { body: { billingInterval: 'yearly', price: 49_000, trialDays: 14 } },
  planPriceUpdate: { body: { price: 5_900 } },
  planPriceRegionalUpsert: { body: { overrides: [{ currency: 'eur', price: 4_500 }] } },
  planCurrencySet: {
    body: {
      currency: 'brl',
      exchangeRate: 5.43,
      prices: [{ priceId: exampleId('plan_price'), price: 30_000 }],
    },
  },
  pricingTableCreate: {
    body: { name: 'Plans', plans: [{ planId, text: 'For teams.' }], highlightedPlanId: planId },
  },
  pricingTableUpdate: { body: { isActive: false } },
  planGroupCreate: { body: { name: 'Teams', description: 'Plans for teams.' } },
  planGroupUpdate: { body: { name: 'Teams and companies' } },
  planGroupPlanAdd: { body: { planId, sortOrder: 2 } },
  planGroupReorder: { body: { planIds: [planId, exampleId('plan', 'K')] } },
};

const discounts: Readonly<Record<string, RequestExample>> = {
  offers: { query: { active: true } },
  offerCreate: {
    body: {
      name: 'Launch',
      phases: [
        { type: 'free_trial', durationDays: 14 },
        { type: 'percentage', percentage: 2_000, durationCycles: 3 },
      ],
    },
  },
  offerUpdate: {
    body: { name: 'Launch week', phases: [{ type: 'percentage', percentage: 2_500, durationCycles: 1 }] },
  },
  promoCodeCreate: {
    body: { code: 'WELCOME', offerId, maxRedemptions: 100, expiresAt: '2099-01-01T00:00:00Z' },
  },
  promoCodeUpdate: { body: { active: false } },
  subscriptionOfferApply: { body: { offerId } },
};

const customers: Readonly<Record<string, RequestExample>> = {
  lotGrant: { body: { amount: 300, expiresAt: '2099-12-31T00:00:00Z', description: 'Welcome credits' } },
  autoTopUpSet: {
    body: {
      threshold: 100_000,
      refill: { amount: 2_000 },
      maxAmountPerMonth: 10_000,
      consentReference: 'Order form of August 27, 2026',
    },
  },
  commitmentPurchase: { body: { price: 1_200_000, grant: 130_000_000, validMonths: 12, autoRenew: true } },
  commitmentUpdate: { body: { autoRenew: false } },
  limitCreate: {
    body: {
      name: 'Spend cap',
      scope: { customer: customerId },
      measure: 'spend',
      currency: 'usd',
      window: { kind: 'usage_window' },
      amount: 25_000,
      action: 'block',
      thresholds: [{ bps: 8_000 }, { bps: 10_000 }],
    },
  },
  limitUpdate: { body: { amount: 40_000 } },
  limitRaise: { body: { node: { customer: customerId }, amount: 10_000, reason: 'Launch week' } },
  limits: { query: { customerId } },
  usageHold: { body: { ...apiCalls, estimate: { value: 4_000 }, atLeast: 500, holdId: 'run-2718' } },
  usageHoldExtend: { body: { expiresIn: 3_600 } },
  usageSettle: { body: { value: 2_750, eventId: 'run-2718-done' } },
  usageHolds: { query: { customerId, status: 'open' } },
  usageBatch: { body: { items: [{ hold: { ...apiCalls, estimate: { value: 100 }, holdId: 'job-31' } }] } },
  limitCrossings: { query: { customerId } },
  budgetCreate: { body: { key: 'team:sales', name: 'Sales' } },
  budgetUpdate: { body: { name: 'Team EMEA' } },
  lotExpirySet: { body: { expiresAt: '2099-12-31T00:00:00Z' } },
  customers: { query: { externalId: 'ada' } },
  customerCreate: {
    body: {
      email: 'ada@example.com',
      externalId: 'ada',
      fullName: 'Ada Lovelace',
      address: { line1: '1 Main St', city: 'Springfield', postalCode: '12345', country: 'US' },
      timezone: 'Europe/Berlin',
    },
  },
  customerCreateBatch: {
    body: {
      customers: [
        { email: 'ada@example.com', externalId: 'ada' },
        { email: 'grace@example.com', externalId: 'grace', fullName: 'Grace Hopper' },
      ],
    },
  },
  customerUpdate: { body: { fullName: 'Ada King' } },
  customerCreditCreate: { body: { amount: 2_500, currency: 'usd', reason: 'Sorry for the outage.' } },
  planGrantCreate: {
    body: {
      subscriptionId: exampleId('subscription'),
      planId,
      reason: 'A look at the higher plan.',
      duration: 'cycles',
      durationCycles: 2,
    },
  },
  planGrantUpdate: {
    body: { reason: 'Until the fair.', duration: 'until_date', expiresAt: '2099-05-01T12:00:00Z' },
  },
  planGrantRevoke: { body: { reason: 'Granted by mistake.' } },
  portalSessionCreate: { body: { customerId, returnUrl: 'https://example.com/account' } },
};

const subscriptions: Readonly<Record<string, RequestExample>> = {
  activeAddons: { query: { customerId } },
  subscriptions: { query: { customerId, status: 'active' } },
  subscriptionCreate: { body: { customerId, planId, billingInterval: 'monthly' } },
  subscriptionActive: { query: { customerId } },
  subscriptionAddonActivate: { body: { addonId: exampleId('addon') } },
  subscriptionBalanceAdjust: { body: { amount: -40, reason: 'Counted twice.', type: 'credits' } },
  subscriptionBalanceTopUp: { body: { amount: 2_500 } },
  subscriptionCancel: { body: { reason: 'Too expensive' } },
  subscriptionChangePlan: { body: { newPlanId: planId } },
  subscriptionCreditsPurchase: { body: { creditPackId: exampleId('credit_pack') } },
  subscriptionPaymentMethodUpdate: { body: { successUrl } },
  subscriptionPreviewChange: { body: { planId, billingInterval: 'yearly' } },
  subscriptionReactivate: { body: { offerId } },
};

const usage: Readonly<Record<string, RequestExample>> = {
  featureAccesses: { query: { customerId } },
  featureAccess: { query: { customerId } },
  seatsAdd: { body: { ...seats, count: 3 } },
  seatsSet: { body: { ...seats, count: 5 } },
  seatsRemove: { body: { ...seats, count: 2 } },
  seatsBulkSet: { body: { customerId, seats: { seats: 5 } } },
  seatBalance: { query: seats },
  seatBalances: { query: { customerId } },
  usageTrack: {
    body: { ...apiCalls, value: 5, eventId: 'call-1', properties: [{ property: 'region', value: 'eu' }] },
  },
  usageTrackBatch: {
    body: {
      events: [
        { ...apiCalls, value: 3, eventId: 'call-2' },
        { ...apiCalls, value: 1, eventId: 'call-3' },
      ],
    },
  },
  usageCheck: { body: { ...apiCalls, quantity: 3 } },
  usageEventVoid: { body: { reason: 'Counted twice.' } },
  usageEventReplace: { body: { value: 2, reason: 'Counted too high.' } },
  usageCorrections: { query: { customerId } },
  usageTotals: { query: { customerId, featureCode: 'api_calls', groupBy: ['model'] } },
  usageSet: { body: { ...apiCalls, value: 12, reason: 'Counted again.' } },
  usageQuota: { query: projects },
  usageQuotas: { query: { customerId } },
  usageQuotaAdd: { body: { ...projects, count: 3 } },
  usageQuotaSet: { body: { ...projects, count: 5 } },
  usageQuotaRemove: { body: { ...projects, count: 1 } },
};

const payments: Readonly<Record<string, RequestExample>> = {
  invoices: { query: { subscriptionId: exampleId('subscription'), status: 'paid' } },
  invoiceAdjustmentCreate: { body: { customerId, amount: 1_250, description: 'Two hours of support' } },
  invoiceCreate: { body: { lineItems: [{ description: 'Workshop', quantity: 2, unitAmount: 45_000 }] } },
  invoiceStatusUpdate: { body: { status: 'paid' } },
  payments: { query: { customerId } },
  paymentCreate: {
    body: { amount: 18_450, currency: 'eur', description: 'Workshop in May', customerId, successUrl },
  },
  paymentCharge: {
    body: { customerId, amount: 2_500, currency: 'usd', description: 'An hour of support' },
  },
  payoutCreate: { body: { amount: 1_500, description: 'For May.' } },
  payoutBankAccountAdd: {
    body: {
      accountHolderName: 'Acme Inc.',
      accountNumber: '000123456789',
      routingNumber: '110000000',
      accountType: 'checking',
    },
  },
  ...receiptExamples,
};

/** Example date range for a metrics series. */
const days = { from: '2026-07-01', to: '2026-08-26' };

const metrics: Readonly<Record<string, RequestExample>> = {
  fxRates: { query: { currency: 'eur', ...days } },
  fxRateSet: { body: { currency: 'eur', day: '2026-08-27', unitsPerUsd: 92_000_000 } },
  fxRateDelete: { query: { currency: 'eur', day: '2026-08-27' } },
  metricsMrr: { query: days },
  mrrChanges: { query: { ...days, kind: 'churn' } },
  metricsScheduled: { query: { from: '2026-08-27', to: '2026-09-30' } },
  metricsRetention: { query: { month: '2026-07-31', months: 12 } },
  metricsCohorts: { query: days },
  metricsCash: { query: days },
  metricsBilled: { query: days },
  metricsReceivables: { query: { day: '2026-08-26' } },
  metricsTrials: { query: days },
  metricsRecovery: { query: days },
  metricsUsage: { query: days },
  margin: { query: { from: days.from, to: days.to } },
};

const environment: Readonly<Record<string, RequestExample>> = {
  apiKeyCreate: { body: { name: 'Continuous integration', expiresInDays: 30 } },
  apiKeyPermissionsNarrow: { body: { permissions: ['*:read', 'usage:write'] } },
  organizationProvision: { body: { name: 'Acme', country: 'US', businessType: 'software' } },
  testClockAdvance: { body: { advanceDays: 30 } },
  requestReplay: { body: { dryRun: true } },
  webhookCreate: {
    body: { url: 'https://example.com/hooks', events: ['payment.received', 'subscription.canceled'] },
  },
  webhookSecretRotate: { body: { overlapHours: 24 } },
  webhookTest: { body: { event: 'payment.received' } },
  webhookUpdate: { body: { isActive: false } },
};

/** Example requests by root field. A test sends each example. */
export const requestExamples: Readonly<Record<string, RequestExample>> = {
  ...catalog,
  ...discounts,
  ...customers,
  ...subscriptions,
  ...usage,
  ...payments,
  ...metrics,
  ...environment,
};
