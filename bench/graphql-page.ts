import { isDeepStrictEqual } from 'node:util';
import { apiKey, type Child } from './children.ts';
import { type Call, type Comparison, compare, inTurns } from './load.ts';

/** Nested query, similar to the first page of a dashboard. */
const page = `query Page {
  customers(first: 25) { edges { node { id fullName email
    subscription { id status startDate
      invoices(first: 5) { edges { node { id invoiceNumber status total issueDate lineItems { description quantity amount } } } } } } } }
}`;

/**
 * Compares a nested GraphQL query with one SQL statement per level. Both return 25 customers, their subscriptions, their last five
 * invoices, and all line items.
 */
export const measureGraphqlPage = (
  product: Child,
  bare: Child,
  rounds: number,
  seconds: number,
): Promise<Comparison> => {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const call: Call = { path: '/graphql', method: 'POST', headers, body: JSON.stringify({ query: page }) };
  return compare({ server: product, call }, { server: bare, call }, rounds, seconds);
};

/** The same query for PostGraphile's schema. */
const peerPage = (environmentId: string): string => `query Page {
  allCustomers(first: 25, condition: { environmentId: "${environmentId}" }, orderBy: [CREATED_AT_DESC, SEQ_DESC]) { nodes { rowId fullName email
    contractsByEnvironmentIdAndCustomerId(first: 1) { nodes { rowId status startDate
      invoicesByEnvironmentIdAndSubscriptionId(first: 5, orderBy: [CREATED_AT_DESC, SEQ_DESC]) { nodes { rowId number status total issueDate
        invoiceLinesByEnvironmentIdAndInvoiceId(orderBy: POSITION_ASC) { nodes { description quantity amount } } } } } } } }
}`;

type PeerRow = Readonly<Record<string, unknown>>;

const nodesOf = (connection: unknown): readonly PeerRow[] =>
  (connection as { readonly nodes: readonly PeerRow[] }).nodes;

async function dataOf({ url }: Child, { path, headers, body = '' }: Call): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
  if (errors !== undefined) throw new Error(`${url} rejects the page: ${JSON.stringify(errors)}`);
  return data;
}

const instant = (text: unknown): string => new Date(String(text)).toISOString();

const lineOfPeer = ({ description, quantity, amount }: PeerRow) => ({
  description,
  quantity: Number(quantity),
  amount: Number(amount),
});

const invoiceOfPeer = (row: PeerRow) => ({
  id: row['rowId'],
  invoiceNumber: `INV-${String(row['number']).padStart(4, '0')}`,
  status: String(row['status']).toLowerCase(),
  total: Number(row['total']),
  issueDate: instant(row['issueDate']),
  lineItems: nodesOf(row['invoiceLinesByEnvironmentIdAndInvoiceId']).map(lineOfPeer),
});

const subscriptionOfPeer = (row: PeerRow) => ({
  id: row['rowId'],
  status: String(row['status']).toLowerCase(),
  startDate: instant(row['startDate']),
  invoices: {
    edges: nodesOf(row['invoicesByEnvironmentIdAndSubscriptionId']).map((invoice) => ({
      node: invoiceOfPeer(invoice),
    })),
  },
});

/** Converts PostGraphile's result to Quittance's format: field names, numbers, and UTC times. */
function pageOfPeer(data: unknown): unknown {
  const customers = nodesOf((data as PeerRow)['allCustomers']);
  const edges = customers.map(
    ({ rowId, fullName, email, contractsByEnvironmentIdAndCustomerId: contracts }) => {
      const [first] = nodesOf(contracts);
      return {
        node: {
          id: rowId,
          fullName,
          email,
          subscription: first === undefined ? null : subscriptionOfPeer(first),
        },
      };
    },
  );
  return { customers: { edges } };
}

/** Compares the nested query with PostGraphile on the same tables. Both must return the same data. */
export async function measurePagePeer(
  product: Child,
  peer: Child,
  environmentId: string,
  rounds: number,
  seconds: number,
): Promise<Comparison> {
  const json = { 'content-type': 'application/json' };
  const own: Call = {
    path: '/graphql',
    method: 'POST',
    headers: { ...json, 'x-api-key': apiKey },
    body: JSON.stringify({ query: page }),
  };
  const theirs: Call = {
    path: '/graphql',
    method: 'POST',
    headers: json,
    body: JSON.stringify({ query: peerPage(environmentId) }),
  };
  const [shown, peerShown] = [await dataOf(product, own), pageOfPeer(await dataOf(peer, theirs))];
  if (!isDeepStrictEqual(shown, peerShown)) {
    const begin = (value: unknown) => JSON.stringify(value).slice(0, 600);
    throw new Error(
      `The product and PostGraphile return different pages:\n${begin(shown)}\n${begin(peerShown)}`,
    );
  }
  return inTurns({ server: product, call: own }, { server: peer, call: theirs }, rounds, seconds);
}
