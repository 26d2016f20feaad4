import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';
import { encodeCursor, type Page, type PageArguments, pageRequest, pageWith } from '../../graphql/pagination.ts';
import { readEntryPages } from '../../infra/consumption-rows.ts';
import type { Row } from '../../infra/rows.ts';

export type EntryRow = Row<'ConsumptionEntry'>;

const pools = { credits: ['plan_credits', 'purchased_credits'], balance: ['money_balance'] } as const;

/** The two ledgers of a subscription: what moved its credits, and what moved its balance. */
export type LedgerName = keyof typeof pools;

/** A page of a ledger of the subscription with this id, the latest movement first. Batched. */
export function loadLedger(context: Context, name: LedgerName, subscriptionId: string, args: PageArguments): Promise<Page<EntryRow>> {
  const { size, after } = pageRequest(args);
  const loader = context.once(`ledger:${name}:${size}:${args.after ?? ''}`, () => {
    return new DataLoader<string, Page<EntryRow>>(async (subscriptionIds) => {
      const request = { subscriptionIds, pools: pools[name], beforeSeq: after?.seq ?? null, limit: size + 1 };
      const rows = Map.groupBy(await readEntryPages(context.sql, request), (row) => row.subscriptionId);
      return subscriptionIds.map((id) =>
        pageWith(rows.get(id) ?? [], size, ({ occurredAt, seq }) => encodeCursor({ createdAt: occurredAt, seq })),
      );
    });
  });
  return loader.load(subscriptionId);
}

/** What is behind a movement. */
export type EntryCause = 'usage_event' | 'invoice' | 'window' | 'raise' | 'manual';

/** What is behind a movement: the engine writes nothing else as its source. */
export function causeOf({ sourceId, type }: EntryRow): EntryCause {
  if (sourceId === null) return type === 'grant' ? 'raise' : 'manual';
  if (sourceId.startsWith('evt_')) return 'usage_event';
  return sourceId.startsWith('inv_') ? 'invoice' : 'window';
}
