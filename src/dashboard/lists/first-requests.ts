import type { Environment } from '../data/place.ts';

type FirstRequest = {
  /** Path of the request: a path below `/api/v1`, or `/graphql`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
};

const paymentLink = { amount: 4_200, currency: 'usd', description: 'Workshop in May' };

/**
 * Requests that create the first object of a list, by the list's page. Each request is one line. Readers replace IDs that end with an ellipsis.
 * Payments appear after a payer pays with the link.
 */
export const firstRequests = {
  customers: { path: '/customers', body: { email: 'ada@example.com', fullName: 'Ada Lovelace' } },
  subscriptions: { path: '/subscriptions', body: { customerId: 'cus_…', planId: 'pln_…' } },
  usage: { path: '/usage/events', body: { customerId: 'cus_…', featureCode: 'api_calls', value: 1 } },
  invoices: {
    path: '/invoices',
    body: { customerId: 'cus_…', amount: 1_250, description: 'Hours of help' },
  },
  payments: { path: '/payments', body: paymentLink },
  paymentLinks: { path: '/payments', body: paymentLink },
  webhooks: {
    path: '/webhooks',
    body: { url: 'https://example.com/webhooks', events: ['subscription.activated'] },
  },
  features: { path: '/features', body: { name: 'API calls', code: 'api_calls', type: 'usage' } },
  prices: { path: '/markets', body: { name: 'Iberia', countryCodes: ['ES', 'PT'] } },
  addons: {
    path: '/addons',
    body: { name: 'Support', basePrice: 1_450, featureId: 'ftr_…', consumptionModel: 'boolean' },
  },
  rateCards: {
    path: '/rate-cards',
    body: {
      name: 'API prices',
      code: 'api_prices',
      cells: [{ when: { model: ['large'] }, rate: { amount: '0.012' } }],
      default: { amount: '0.0015' },
    },
  },
  creditPacks: { path: '/credit-packs', body: { name: 'Thousand', credits: 1_000, price: 2_500 } },
  pricingTables: { path: '/pricing-tables', body: { name: 'Website', plans: [{ planId: 'pln_…' }] } },
  offers: {
    path: '/offers',
    body: { name: 'A fifth off', phases: [{ type: 'percentage', percentage: 2_000, durationCycles: 1 }] },
  },
  promoCodes: { path: '/promo-codes', body: { code: 'WELCOME', offerId: 'ofr_…' } },
  payouts: {
    path: '/graphql',
    body: { query: 'mutation { payoutSimulate(input: { amount: 2500 }) { id } }' },
  },
  exports: { path: '/exports', body: { kind: 'customers', format: 'csv' } },
  apiKeys: { path: '/api-keys', body: { name: 'Server' } },
} as const satisfies Readonly<Record<string, FirstRequest>>;

/** Requests that differ in the live environment. */
export const liveFirstRequests: Readonly<Record<string, FirstRequest>> = {
  payouts: { path: '/payouts', body: { amount: 2_500 } },
};

/** Returns the request as a curl command. `null` if the list's objects can't be created with the API. */
export function firstRequestCode(name: string, environment: Environment = 'sandbox'): string | null {
  const sandbox = (firstRequests as Readonly<Record<string, FirstRequest>>)[name];
  const request = environment === 'live' ? (liveFirstRequests[name] ?? sandbox) : sandbox;
  if (request === undefined) return null;
  const { path } = request;
  return `curl -X POST $URL${path === '/graphql' ? '' : '/api/v1'}${path} \\
  -H "x-api-key: $API_KEY" -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(request.body)}'`;
}
