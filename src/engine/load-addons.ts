import type { Context } from '../context.ts';
import type { AddonActivationRow } from '../domain/subscription/state/rows.ts';
import { columnList } from '../platform/db/bulk.ts';

/** Add-ons of subscriptions, in the order of their activations: those active, and those that ended in the open billing period (SUB-73). */
export const loadActivations = (
  ctx: Context,
  subscriptionIds: readonly string[],
): Promise<AddonActivationRow[]> =>
  ctx.sql<AddonActivationRow>(
    `SELECT ${columnList('AddonActivation', 't')} FROM "AddonActivation" t
     JOIN "Subscription" s ON s."environmentId" = t."environmentId" AND s.id = t."subscriptionId"
     WHERE t."environmentId" = $1 AND t."subscriptionId" = ANY($2) AND (t.status = 'active' OR t."deactivatedAt" >= s."periodStart") ORDER BY t.seq`,
    [subscriptionIds],
  );

/**
 * Ids of living add-ons by id or slug, locked against a change or deletion until the transaction ends, after the customers; no
 * statement without references.
 */
export async function lockAddons(ctx: Context, references: readonly string[]): Promise<string[]> {
  if (references.length === 0) return [];
  const rows = await ctx.sql<{ id: string }>(
    `SELECT t.id FROM "Addon" t WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND (t.id = ANY($2) OR t.slug = ANY($2)) ORDER BY t.seq FOR SHARE`,
    [references],
  );
  return rows.map(({ id }) => id);
}
