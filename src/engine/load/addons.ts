import type { AddonActivationRow } from '../../domain/rows/rows.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Context } from '../../request/context.ts';

/**
 * Loads add-on activations in order of activation: active add-ons, and add-ons that ended or were still paid
 * in the current billing period (SUB-73).
 */
export const loadActivations = (
  ctx: Context,
  subscriptionIds: readonly string[],
): Promise<AddonActivationRow[]> =>
  ctx.sql<AddonActivationRow>(
    `SELECT ${columnList('AddonActivation', 't')} FROM "AddonActivation" t
     JOIN "Subscription" s ON s."environmentId" = t."environmentId" AND s.id = t."subscriptionId"
     WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2) AND (t.status = 'active' OR t."deactivatedAt" >= s."periodStart" OR t."paidUntil" > s."periodStart") ORDER BY t.seq`,
    [subscriptionIds],
  );

/**
 * Returns the IDs of the add-ons with the given IDs or slugs. Omits deleted add-ons. Locks the rows against changes
 * until the end of the transaction. Customers must be locked first. Executes no SQL statement if `references` is
 * empty.
 */
export async function lockAddons(ctx: Context, references: readonly string[]): Promise<string[]> {
  if (references.length === 0) return [];
  const rows = await ctx.sql<{ id: string }>(
    `SELECT t.id FROM "Addon" t WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND (t.id = ANY($2) OR t.slug = ANY($2)) ORDER BY t.seq FOR SHARE`,
    [references],
  );
  return rows.map(({ id }) => id);
}
