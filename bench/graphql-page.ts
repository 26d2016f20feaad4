import { apiKey, type Child } from './children.ts';
import { type Call, type Comparison, compare, inTurns } from './load.ts';

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

/** The same page as PostGraphile's schema asks for it. */
const peerPage = (environmentId: string): string => `query Page {
  allCustomers(first: 25, condition: { environmentId: "${environmentId}" }, orderBy: [CREATED_AT_DESC, SEQ_DESC]) { nodes { rowId fullName email
    contractsByEnvironmentIdAndCustomerId(first: 1) { nodes { rowId status startDate
      invoicesByEnvironmentIdAndSubscriptionId(first: 5, orderBy: [CREATED_AT_DESC, SEQ_DESC]) { nodes { rowId number status total issueDate
        invoiceLinesByEnvironmentIdAndInvoiceId(orderBy: POSITION_ASC) { nodes { description quantity amount } } } } } } } }
}`;

async function linesOf({ url }: Child, { path, headers, body = '' }: Call): Promise<number> {
  const text = await (await fetch(`${url}${path}`, { method: 'POST', headers, body })).text();
  return text.split('"quantity"').length - 1;
}

/** The nested page against PostGraphile on the same tables; both must answer as many lines. */
export async function measurePagePeer(
  product: Child,
  peer: Child,
  environmentId: string,
  rounds: number,
  seconds: number,
): Promise<Comparison> {
  const json = { 'content-type': 'application/json' };
  const own: Call = { path: '/graphql', method: 'POST', headers: { ...json, 'x-api-key': apiKey }, body: JSON.stringify({ query: page }) };
  const theirs: Call = { path: '/graphql', method: 'POST', headers: json, body: JSON.stringify({ query: peerPage(environmentId) }) };
  const [lines, peerLines] = [await linesOf(product, own), await linesOf(peer, theirs)];
  if (lines === 0 || lines !== peerLines) throw new Error(`The product answers ${lines} lines, its peer ${peerLines}.`);
  return inTurns({ server: product, call: own }, { server: peer, call: theirs }, rounds, seconds);
}
