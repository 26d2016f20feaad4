import type { Context } from '../../context.ts';
import type { MrrEntryRow } from '../../domain/subscription/state/recurring-rows.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import { readDayEntries } from './store.ts';

/** A change of a customer's day in one currency. */
type Change = Pick<Row<'MrrCustomerDay'>, 'customerId' | 'day' | 'seq' | 'currency'>;

/** The entries a customer's day is made of, in its currency and in order. Batched. */
export async function loadEntries(
  ctx: Context,
  { customerId, day, seq, currency }: Change,
): Promise<MrrEntryRow[]> {
  const load = ctx.once('mrr-entries', () =>
    batchedByColumns<MrrEntryRow[]>(async (keys) => {
      const rows = await readDayEntries(
        ctx.sql,
        keys.map((key) => key.split('/')),
      );
      const found = Map.groupBy(rows, ({ key }) => key);
      return (key) => found.get(key) ?? [];
    }),
  );
  const entries = await load([customerId, day, seq].join('/'), 'all');
  return entries.filter(({ before, after }) => before?.currency === currency || after?.currency === currency);
}
