import { mostBudgets } from '../../../domain/limits/new-budgets.ts';
import { highestShare } from '../../../domain/limits/used-share.ts';
import { readLimitsOf } from '../../../engine/usage/limit-states.ts';
import { type Page, pageOfAll } from '../../../graphql/reading/connections.ts';
import { cursorFrom, readCursor } from '../../../graphql/reading/cursors.ts';
import { type PageArguments, pageRequest } from '../../../graphql/reading/pages.ts';
import { readWindow } from '../../../platform/db/row-lists.ts';
import type { Context } from '../../../request/context.ts';
import { type BudgetFilter, budgetList } from './list.ts';
import { type BudgetRow, readUsedBudgets } from './store.ts';

/** Position in the list: the used share in millionths, and the sequence number of the budget. */
type Place = { readonly share: bigint; readonly seq: bigint };

type Placed = BudgetRow & { readonly share: bigint };

/** Compares budgets: the highest used share first, and then newest first. */
const compare = (a: Place, b: Place): number => Number(b.share - a.share) || Number(b.seq - a.seq);

const cursorOf = ({ share, seq }: Placed): string => cursorFrom(`used_share.${share}.${seq}`);

function placeFrom(text: string): Place | undefined {
  const [, share, seq] = /^used_share\.(\d{1,18})\.(\d{1,18})$/.exec(text) ?? [];
  return share === undefined || seq === undefined ? undefined : { share: BigInt(share), seq: BigInt(seq) };
}

/** Returns the highest used share of the limits of budgets, by ID. Excludes budgets without usage, whose share is 0. */
async function readShares(
  ctx: Context,
  customerId: string,
  budgets: readonly BudgetRow[],
): Promise<ReadonlyMap<string, bigint>> {
  const used = await readUsedBudgets(ctx, customerId);
  const read = budgets.filter(({ id, archivedAt }) => archivedAt === null && used.has(id));
  if (read.length === 0) return new Map();
  const current = await readLimitsOf(
    ctx,
    read.map(({ key }) => ({ customerId, budget: key })),
  );
  return new Map(
    read.map(({ id, key }, index) => {
      const found = current[index];
      const tried = found === undefined || 'code' in found ? [] : found.tried;
      return [id, highestShare(tried.filter(({ node }) => node.key === key))];
    }),
  );
}

/**
 * Returns a page of the budgets of a customer, sorted by the highest used share of their limits. Reads all matching budgets of the customer,
 * because usage changes the order. Archived budgets have no limits, and follow with the share 0.
 */
export async function listByShare(
  ctx: Context,
  filter: BudgetFilter,
  args: PageArguments,
): Promise<Page<Placed>> {
  const request = pageRequest(args, (cursor, argument) => readCursor(cursor, argument, placeFrom));
  const whole = { after: null, before: null, isReversed: false, limit: mostBudgets };
  const budgets = await readWindow(ctx.reads, budgetList(filter), whole);
  const shares = await readShares(ctx, filter.customerId, budgets);
  const placed = budgets.map((row) => ({ ...row, share: shares.get(row.id) ?? 0n })).sort(compare);
  return pageOfAll(placed, request, { cursorOf, compare });
}
