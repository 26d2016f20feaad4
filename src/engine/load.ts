import type { Context } from '../context.ts';
import type { Aggregate, CustomerRow } from '../domain/subscription/state/aggregate.ts';
import { columnList } from '../platform/db/bulk.ts';
import { together } from '../platform/together.ts';
import { type FieldName, LoadBatch } from './load-batch.ts';
import { type Addressed, namedBy } from './load-named.ts';
import type { Owner, Share } from './share.ts';
import { type Field, fieldNames, storedTables } from './tables.ts';

const fields: { readonly [F in FieldName]: Field<Aggregate[F]> } = storedTables;

/** Locks the customers in order of seq, the lock root of everything else, and answers their rows in that order. */
const lockCustomers = (ctx: Context, ids: readonly string[]): Promise<CustomerRow[]> =>
  ctx.sql<CustomerRow>(
    `SELECT ${columnList('Customer', 't')} FROM "Customer" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq FOR UPDATE`,
    [ids],
  );

type Shared = { readonly field: FieldName; readonly share: Share<unknown> };

/** Begins to read a field for all customers. */
async function readField<F extends FieldName>(batch: LoadBatch, field: F): Promise<Shared> {
  const { read, share } = fields[field];
  const reading = read(batch);
  batch.begin(field, reading);
  return { field, share: share(await reading, batch) };
}

function aggregateOf(customer: CustomerRow, shared: readonly Shared[]): Aggregate {
  const values = { customer } as { -readonly [F in keyof Aggregate]: unknown };
  // Subscriptions and invoices are read, and so filled in, before the fields that are shared by them.
  for (const { field, share } of shared) values[field] = share(values as Owner);
  // The list of fields is complete; the compiler does not follow a loop that far.
  return values as Aggregate;
}

/**
 * Locks the customers of the commands and reads all their billing state, in the same number of statements for one as for hundreds, most of which go out
 * together, inside an open transaction. Answers the aggregates by customer id, in order of the customers' seq; customers that do not exist are left out.
 */
export async function loadAggregates(
  ctx: Context,
  addressed: readonly Addressed[],
): Promise<ReadonlyMap<string, Aggregate>> {
  if (ctx.transaction === null)
    throw new Error('Billing state is loaded inside a transaction, which holds its locks.');
  const named = namedBy(addressed);
  const customers = await lockCustomers(ctx, [...new Set(addressed.map(({ customerId }) => customerId))]);
  if (customers.length === 0) return new Map();
  const batch = new LoadBatch(ctx, addressed, named, customers);
  const shared = await together(fieldNames.map((field) => readField(batch, field)));
  return new Map(customers.map((customer) => [customer.id, aggregateOf(customer, shared)]));
}
