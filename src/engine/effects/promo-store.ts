import type { Query } from '../../platform/db/pool.ts';

/**
 * Adds settled redemptions to the redemption counts of their promo codes with one SQL statement. The promo codes must
 * be locked. Does nothing if the list is empty.
 */
export async function countRedemptions(
  sql: Query,
  redemptions: readonly { readonly promoCodeId: string }[],
): Promise<void> {
  if (redemptions.length === 0) return;
  await sql(
    `UPDATE "PromoCode" c SET "redemptionCount" = c."redemptionCount" + used.count
     FROM (SELECT id, count(*) AS count FROM unnest($2::text[]) AS id GROUP BY id) AS used
     WHERE c."environmentId" = $1 AND c.id = used.id`,
    [redemptions.map(({ promoCodeId }) => promoCodeId)],
  );
}
