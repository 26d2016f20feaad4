import { textArray } from '../../../platform/db/column-arrays.ts';
import type { Context } from '../../../request/context.ts';
import type { StoredLimit } from './store.ts';

// Customers and budgets to which a template applies.

type Template = Pick<StoredLimit, 'each' | 'planId' | 'customerId'>;

/** Customer, or budget of a customer. `budget` is `null` if the node is the customer. */
type FoundNode = { readonly customerId: string; readonly budget: string | null };

/** Returns the newest customers to which a template is restricted, or the newest subscribers of its plan. */
async function findCustomers(
  ctx: Context,
  { planId, customerId }: Template,
  most: number,
): Promise<string[]> {
  if (customerId !== null) return [customerId];
  const rows = await (planId === null
    ? ctx.sql<{ id: string }>(
        `SELECT id FROM "Customer" WHERE "environmentId" = $1 AND "deletedAt" IS NULL ORDER BY "createdAt" DESC, seq DESC LIMIT $2`,
        [most],
      )
    : ctx.sql<{ id: string }>(
        `SELECT DISTINCT s."customerId" AS id FROM (SELECT "customerId" FROM "Subscription" WHERE "environmentId" = $1 AND "planId" = $3
           ORDER BY "createdAt" DESC, seq DESC LIMIT $2) s`,
        [most, planId],
      ));
  return rows.map(({ id }) => id);
}

/**
 * Returns at most `most` customers or budgets to which a template applies, of the newest customers. Archived budgets are excluded. `isCut` is
 * true if the template applies to more.
 */
export async function findNodes(
  ctx: Context,
  template: Template,
  most: number,
): Promise<{ readonly nodes: readonly FoundNode[]; readonly isCut: boolean }> {
  const found = await findCustomers(ctx, template, most + 1);
  const customerIds = found.slice(0, most);
  const isCut = found.length > most;
  if (template.each === 'customer')
    return { nodes: customerIds.map((customerId) => ({ customerId, budget: null })), isCut };
  const budgets = await ctx.sql<FoundNode>(
    `SELECT b."customerId", b.key AS budget FROM unnest($2::text[]) AS named(id) CROSS JOIN LATERAL (
       SELECT "customerId", key FROM "Budget" WHERE "environmentId" = $1 AND "customerId" = named.id AND "archivedAt" IS NULL
         AND starts_with(key, $3) OFFSET 0) b LIMIT $4`,
    [textArray(customerIds), `${template.each ?? ''}:`, most + 1],
  );
  return { nodes: budgets.slice(0, most), isCut: isCut || budgets.length > most };
}
