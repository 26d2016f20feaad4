import { type Business, readBusiness } from './business.ts';
import type { Client } from './client.ts';
import type { Fortnight } from './usage.ts';

/** Number of invoices with the same type and status, and their total in US cents. */
export type InvoiceGroup = { readonly count: number; readonly total: number };

/** Results of the demo. They depend only on the data files, so they're the same for each run. */
export type Figures = {
  /** Number and total of the invoices, by type and status. */
  readonly invoices: Record<string, Record<string, InvoiceGroup>>;
  /** Number of gaps in the invoice numbers. */
  readonly numberGaps: number;
  /** Number of invoices issued since the start of the simulated year. */
  readonly issuedInTheYear: number;
  /** Successful charges by month (`YYYY-MM`), in US cents. */
  readonly collected: Record<string, number>;
  readonly subscriptions: Record<string, number>;
  readonly events: Record<string, number>;
  /** Recurring revenue, retention and cohorts of the simulated year. */
  readonly business: Business;
  /** Results of the two weeks after the simulated year. The other figures don't include these weeks. */
  readonly fortnight: Fortnight;
  /** True if all stored balances match the ledger. */
  readonly isLedgerBalanced: boolean;
};

/** Counts the occurrences of each word. Returns the counts in alphabetical order of the words. */
async function tally(words: AsyncIterable<string>): Promise<Record<string, number>> {
  const counts = new Map<string, number>();
  for await (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

type InvoiceItem = {
  readonly invoiceNumber: string;
  readonly invoiceType: string;
  readonly status: string;
  readonly total: number;
  readonly createdAt: string;
};

async function readInvoices(
  seller: Client,
  yearBegan: string,
): Promise<Pick<Figures, 'invoices' | 'numberGaps' | 'issuedInTheYear'>> {
  const invoices: Record<string, Record<string, InvoiceGroup>> = {};
  const began = Date.parse(yearBegan);
  let [count, highest, issuedInTheYear] = [0, 0, 0];
  for await (const { invoiceNumber, invoiceType, status, total, createdAt } of seller.list<InvoiceItem>(
    '/invoices',
  )) {
    invoices[invoiceType] ??= {};
    const byStatus = invoices[invoiceType];
    const group = byStatus[status] ?? { count: 0, total: 0 };
    byStatus[status] = { count: group.count + 1, total: group.total + total };
    count += 1;
    highest = Math.max(highest, Number(invoiceNumber.slice('INV-'.length)));
    if (Date.parse(createdAt) > began) issuedInTheYear += 1;
  }
  return { invoices, numberGaps: highest - count, issuedInTheYear };
}

const paymentsQuery = `query ($after: String) {
  transactions(first: 100, after: $after, status: succeeded) { edges { node { grossAmount paidAt } } pageInfo { hasNextPage endCursor } }
}`;

async function readCollected(seller: Client): Promise<Record<string, number>> {
  const months = new Map<string, number>();
  for await (const { grossAmount, paidAt } of seller.nodes<{ grossAmount: number; paidAt: string }>(
    paymentsQuery,
  )) {
    const month = paidAt.slice(0, 'YYYY-MM'.length);
    months.set(month, (months.get(month) ?? 0) + grossAmount);
  }
  return Object.fromEntries([...months].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const eventsQuery = `query ($after: String) {
  events(first: 100, after: $after) { edges { node { event } } pageInfo { hasNextPage endCursor } }
}`;

async function* eventKinds(seller: Client): AsyncGenerator<string, void> {
  for await (const { event } of seller.nodes<{ event: string }>(eventsQuery)) yield event;
}

async function* subscriptionStatuses(seller: Client): AsyncGenerator<string, void> {
  for await (const { status } of seller.list<{ status: string }>('/subscriptions')) yield status;
}

export const isLedgerBalanced = async (seller: Client): Promise<boolean> =>
  (await seller.graphql<{ ledgerVerify: { ok: boolean } }>('{ ledgerVerify { ok } }')).ledgerVerify.ok;

export type YearFigures = Omit<Figures, 'fortnight' | 'isLedgerBalanced'>;

/** Reads the figures for the simulated year through the public API. `yearBegan` is the clock's time when the shop opened. */
export async function readYear(seller: Client, yearBegan: string): Promise<YearFigures> {
  return {
    ...(await readInvoices(seller, yearBegan)),
    collected: await readCollected(seller),
    subscriptions: await tally(subscriptionStatuses(seller)),
    events: await tally(eventKinds(seller)),
    business: await readBusiness(seller, new Date(yearBegan).getUTCFullYear()),
  };
}
