import type { Query } from './db.ts';

/** Locks the customer's row until the transaction ends: the root of everything that touches its billing state (protocols A2). */
export async function lockCustomerRow(sql: Query, id: string): Promise<void> {
  await sql('SELECT 1 FROM "Customer" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
}

/** Locks the plan's row until the transaction ends: the root of its prices and features. */
export async function lockPlanRow(sql: Query, id: string): Promise<void> {
  await sql('SELECT 1 FROM "Plan" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
}

/** Locks the plan group's row until the transaction ends: the root of its order. Whoever locks one of its plans too does so afterwards. */
export async function lockPlanGroupRow(sql: Query, id: string): Promise<void> {
  await sql('SELECT 1 FROM "PlanGroup" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
}

/** Locks the feature's row until the transaction ends: shared by those who attach it, exclusive for the one who deletes it. */
export async function lockFeatureRow(sql: Query, id: string, mode: 'SHARE' | 'UPDATE'): Promise<void> {
  await sql(`SELECT 1 FROM "Feature" WHERE "environmentId" = $1 AND id = $2 FOR ${mode}`, [id]);
}

/** Locks the add-on's row until the transaction ends: whoever activates, changes or deletes it begins here. */
export async function lockAddonRow(sql: Query, id: string): Promise<void> {
  await sql('SELECT 1 FROM "Addon" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
}

/** Locks the credit pack's row until the transaction ends. */
export async function lockCreditPackRow(sql: Query, id: string): Promise<void> {
  await sql('SELECT 1 FROM "CreditPack" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
}

/** Locks the webhook endpoint's row until the transaction ends: the root of what it receives and of how its deliveries are counted. */
export async function lockWebhookRow(sql: Query, id: string): Promise<void> {
  await sql('SELECT 1 FROM "Webhook" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
}

/** Locks the offer's row until the transaction ends: shared by those who refer to it, exclusive for those who change it. */
export async function lockOfferRow(sql: Query, id: string, mode: 'SHARE' | 'UPDATE'): Promise<void> {
  await sql(`SELECT 1 FROM "Offer" WHERE "environmentId" = $1 AND id = $2 FOR ${mode}`, [id]);
}

/** Locks the promo code's row until the transaction ends. */
export async function lockPromoCodeRow(sql: Query, id: string): Promise<void> {
  await sql('SELECT 1 FROM "PromoCode" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
}

/** Locks the card promotion's row until the transaction ends: the root of its BINs. */
export async function lockCardPromotionRow(sql: Query, id: string): Promise<void> {
  await sql('SELECT 1 FROM "CardPromotion" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
}

/** Locks the market's row until the transaction ends: shared by those who price it, exclusive for the one who changes or deletes it. */
export async function lockMarketRow(sql: Query, id: string, mode: 'SHARE' | 'UPDATE'): Promise<void> {
  await sql(`SELECT 1 FROM "Market" WHERE "environmentId" = $1 AND id = $2 FOR ${mode}`, [id]);
}

/** Locks the organization's row until the transaction ends: the root of its members. */
export async function lockOrganizationRow(query: Query, id: string): Promise<void> {
  await query('SELECT 1 FROM "Organization" WHERE id = $1 FOR UPDATE', [id]);
}
