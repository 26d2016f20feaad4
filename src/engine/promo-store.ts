import type { Query } from '../platform/db/pool.ts';

/** Counts settled uses on their promo codes, in one statement; nothing for an empty list. The codes are locked since they were read. */
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
