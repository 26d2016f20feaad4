import { ignoresUsage } from '../../domain/subscription/decision/command.ts';
import type { Aggregate, CustomerRow } from '../../domain/subscription/state/aggregate.ts';
import { columnList } from '../../platform/db/bulk.ts';
import { together } from '../../platform/together.ts';
import type { Context } from '../../request/context.ts';
import type { Owner, Share } from '../share.ts';
import { type FieldName, LoadBatch } from './batch.ts';
import { type Addressed, namedBy } from './named.ts';
import { type Field, fieldNames, storedTables } from './tables.ts';

const fields: { readonly [F in FieldName]: Field<Aggregate[F]> } = storedTables;

/**
 * Locks customers in order of `seq` and returns their rows. Customers must be locked before all other rows.
 */
const lockCustomers = (ctx: Context, ids: readonly string[]): Promise<CustomerRow[]> =>
  ctx.sql<CustomerRow>(
    `SELECT ${columnList('Customer', 't')} FROM "Customer" t WHERE t."environmentId" = $1 AND t.id = ANY($2) ORDER BY t.seq FOR UPDATE`,
    [ids],
  );

type Shared = { readonly field: FieldName; readonly share: Share<unknown> };

/** Loads a field of the aggregate for all customers in the batch. */
async function readField<F extends FieldName>(batch: LoadBatch, field: F): Promise<Shared> {
  const { read, share } = fields[field];
  const reading = read(batch);
  batch.begin(field, reading);
  return { field, share: share(await reading, batch) };
}

function aggregateOf(customer: CustomerRow, shared: readonly Shared[]): Aggregate {
  const values = { customer } as { -readonly [F in keyof Aggregate]: unknown };
  // `subscriptions` and `invoices` come first, because rows in other fields are assigned to a customer
  // through its subscriptions and invoices.
  for (const { field, share } of shared) values[field] = share(values as Owner);
  // `shared` contains all fields, but the compiler can't infer this from the loop.
  return values as Aggregate;
}

/**
 * Locks the customers of the given commands and loads their billing state in an open transaction. The number of SQL
 * statements doesn't depend on the number of customers. Returns the aggregates by customer ID, in order of the
 * customers' `seq`. Omits customers that don't exist. If `isExact` is true, only the given commands run on the state, so
 * that the totals of usage are loaded only if a command reads them.
 */
export async function loadAggregates(
  ctx: Context,
  addressed: readonly Addressed[],
  isExact = false,
): Promise<ReadonlyMap<string, Aggregate>> {
  if (ctx.transaction === null)
    throw new Error('Billing state must be loaded inside a transaction, which holds its locks.');
  const named = namedBy(addressed);
  const customers = await lockCustomers(ctx, [...new Set(addressed.map(({ customerId }) => customerId))]);
  if (customers.length === 0) return new Map();
  const readsUsage = !isExact || !addressed.every(({ command }) => ignoresUsage(command));
  const batch = new LoadBatch(ctx, addressed, named, customers, readsUsage);
  const shared = await together(fieldNames.map((field) => readField(batch, field)));
  return new Map(customers.map((customer) => [customer.id, aggregateOf(customer, shared)]));
}
