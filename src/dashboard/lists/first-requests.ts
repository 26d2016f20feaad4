/** Requests that make the first row of a list. Ids that end with an ellipsis are the reader's own. */
export const firstRequests = {
  customers: { path: '/customers', body: { email: 'ada@example.com', fullName: 'Ada Lovelace' } },
  subscriptions: { path: '/subscriptions', body: { customerId: 'cus_…', planId: 'pln_…' } },
  usage: { path: '/usage/events', body: { customerId: 'cus_…', featureCode: 'api_calls', value: 1 } },
} as const;

/** The request as curl sends it. */
export function firstRequestCode(name: keyof typeof firstRequests): string {
  const { path, body } = firstRequests[name];
  return `curl -X POST $URL/api/v1${path} \\
  -H "x-api-key: $API_KEY" -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body)}'`;
}
