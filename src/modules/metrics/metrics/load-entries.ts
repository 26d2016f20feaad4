import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { readDayEntries, readEntryEvents } from './store.ts';

/** Change in a customer's recurring revenue on one day in one currency. */
type Change = Pick<Row<'MrrCustomerDay'>, 'customerId' | 'day' | 'seq' | 'currency'>;

/** Loads the entries that make up a customer's change in recurring revenue, in order. Lookups are batched. */
export async function loadEntries(
  ctx: Context,
  { customerId, day, seq, currency }: Change,
): Promise<Row<'MrrEntry'>[]> {
  const load = ctx.once('mrr-entries', () =>
    batchedByColumns<Row<'MrrEntry'>[]>(async (keys) => {
      const days = keys.map((key) => {
        const [id = '', on = '', last = ''] = key.split('/');
        return { customerId: id, day: on, seq: BigInt(last) };
      });
      const rows = await readDayEntries(ctx.sql, days);
      const found = Map.groupBy(rows, (row) => row.key);
      return (key) => found.get(key.slice(0, key.lastIndexOf('/'))) ?? [];
    }),
  );
  const entries = await load([customerId, day, seq].join('/'), 'all');
  return entries.filter(({ before, after }) => before?.currency === currency || after?.currency === currency);
}

/**
 * Loads the events of an entry's subscription that were written in the same transaction as the entry, in order. Lookups
 * are batched.
 */
export async function loadEvents(
  ctx: Context,
  { id, firstEvent }: Pick<Row<'MrrEntry'>, 'id' | 'firstEvent'>,
): Promise<Row<'Event'>[]> {
  if (firstEvent === null) return [];
  const load = ctx.once('mrr-entry-events', () =>
    batchedByColumns<Row<'Event'>[]>(async (ids) => {
      const found = Map.groupBy(await readEntryEvents(ctx.sql, ids), ({ entryId }) => entryId);
      return (entryId) => found.get(entryId) ?? [];
    }),
  );
  return load(id, 'all');
}
