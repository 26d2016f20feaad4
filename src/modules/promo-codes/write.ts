import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { canBePromoted } from '../../domain/offer/offer.ts';
import { normalizedCode } from '../../domain/offer/promo-code.ts';
import type { BillingInterval } from '../../domain/words.ts';
import { newId } from '../../infra/ids.ts';
import { isUniqueViolation } from '../../infra/unique.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { phasesOf, requireLockedOffer } from '../offers/service.ts';
import { requirePlan } from '../plans/service.ts';
import { type PromoCodeRow, planIdsOf, requireLockedPromoCode } from './service.ts';

/** The limits of a code. A null interval, limit or end takes it away; plans go by id or code. */
type Limits = {
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly maxRedemptions?: number | null | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly planIds?: readonly string[] | null | undefined;
};

/** What a creating call says of a promo code. It is active, and for everything, unless told. */
export type NewPromoCodeInput = Limits & { readonly code: string; readonly offerId: string };

/** New limits of a promo code; what is undefined stays (OFR-33). */
export type PromoCodeChanges = Limits & { readonly id: string; readonly active?: boolean | null | undefined };

const codeTaken = (): QuittanceError => new QuittanceError('duplicate', 'Another promo code has this code.', { param: 'code' });

/** The ids of the plans named, each once, in order. Throws `plan_not_found` naming the first one that does not exist. */
async function planIdsNamed(context: Context, references: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const [index, reference] of references.entries()) ids.add((await requirePlan(context, reference, `planIds.${index}`)).id);
  return [...ids];
}

/** Throws `offer_not_found`, and `offer_not_applicable` for an offer a code cannot hand out (OFR-33). */
async function checkOffer(context: Context, offerId: string): Promise<void> {
  const offer = await requireLockedOffer(context, offerId, 'SHARE', 'offerId');
  if (canBePromoted(phasesOf(offer))) return;
  const message = 'A promo code hands out an offer with exactly one phase, a share or an amount off.';
  throw new QuittanceError('offer_not_applicable', message, { param: 'offerId' });
}

/**
 * Creates a promo code. Throws `offer_not_found`, `offer_not_applicable`, `plan_not_found`, and `duplicate` for a code that is taken, also by
 * a rival at the same moment (OFR-33).
 */
export async function createPromoCode(context: Context, input: NewPromoCodeInput): Promise<PromoCodeRow> {
  try {
    return await inTransaction(context, async (inner) => {
      await checkOffer(inner, input.offerId);
      const planIds = await planIdsNamed(inner, input.planIds ?? []);
      const code = normalizedCode(input.code);
      if ((await inner.db.promoCode.findFirst({ where: { code } })) !== null) throw codeTaken();
      const now = inner.clock.now();
      return inner.db.promoCode.create({
        data: {
          id: newId('prc'),
          seq: await nextSeq(inner),
          code,
          offerId: input.offerId,
          billingInterval: input.billingInterval ?? null,
          planIds,
          maxRedemptions: input.maxRedemptions == null ? null : BigInt(input.maxRedemptions),
          redemptionCount: 0n,
          expiresAt: input.expiresAt ?? null,
          isActive: true,
          createdAt: now,
          updatedAt: now,
        },
      });
    });
  } catch (error) {
    throw isUniqueViolation(error) ? codeTaken() : error;
  }
}

const orStored = <T>(given: T | undefined, stored: T): T => (given === undefined ? stored : given);

/** Changes the limits of a promo code; its `updatedAt` stays when nothing changes. Throws `promo_code_not_found`, `plan_not_found`. */
export const updatePromoCode = (context: Context, input: PromoCodeChanges): Promise<PromoCodeRow> =>
  inTransaction(context, async (inner) => {
    const code = await requireLockedPromoCode(inner, input.id);
    const { billingInterval, maxRedemptions, expiresAt, isActive } = code;
    const stored = { billingInterval, maxRedemptions, expiresAt, isActive, planIds: [...planIdsOf(code)] };
    const next = {
      billingInterval: orStored(input.billingInterval, billingInterval),
      maxRedemptions: input.maxRedemptions == null ? orStored(input.maxRedemptions, maxRedemptions) : BigInt(input.maxRedemptions),
      expiresAt: orStored(input.expiresAt, expiresAt),
      isActive: input.active ?? isActive,
      planIds: input.planIds == null ? stored.planIds : await planIdsNamed(inner, input.planIds),
    };
    if (isDeepStrictEqual(next, stored)) return code;
    const changes = { ...next, updatedAt: inner.clock.now() };
    await inner.db.promoCode.update({ where: { id: code.id }, data: changes });
    return { ...code, ...changes };
  });
