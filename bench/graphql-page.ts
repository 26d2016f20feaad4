import { apiKey, type Child } from './children.ts';
import { type Call, type Comparison, compare } from './load.ts';

/** The nested page: what a dashboard shows first. */
const page = `query Page {
  customers(first: 25) { edges { node { id fullName email
    subscription { id status startDate
      invoices(first: 5) { edges { node { id invoiceNumber status total issueDate lineItems { description quantity amount } } } } } } } }
}`;

/** The nested page of 25 customers, their subscriptions, the last five invoices of each and their lines, against one statement per level. */
export const measureGraphqlPage = (product: Child, bare: Child, rounds: number, seconds: number): Promise<Comparison> => {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const call: Call = { path: '/graphql', method: 'POST', headers, body: JSON.stringify({ query: page }) };
  return compare({ server: product, call }, { server: bare, call }, rounds, seconds);
};
