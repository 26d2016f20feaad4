import { describe, expect, test } from 'vitest';
import type { OfferRow } from '../../../src/domain/offers/offer.ts';
import {
  type PromoCodeRow,
  type PromoUse,
  promoCodeRejection,
} from '../../../src/domain/offers/promo-code.ts';

const now = new Date('2027-03-01T12:00:00.000Z');
const code: PromoCodeRow = {
  id: 'prc_1',
  seq: 1n,
  code: 'SPRING',
  offerId: 'ofr_1',
  billingInterval: null,
  planIds: [],
  maxRedemptions: null,
  redemptionCount: 3n,
  expiresAt: null,
  isActive: true,
};
const offer: OfferRow = {
  id: 'ofr_1',
  seq: 1n,
  name: 'Spring',
  phases: [
    {
      type: 'amount_off',
      amounts: [{ currency: 'usd', amount: 500 }],
      durationCycles: 1,
      durationInterval: null,
    },
  ],
  startsAt: null,
  endsAt: null,
  active: true,
  deletedAt: null,
};
const use: PromoUse = {
  now,
  planId: 'pln_1',
  billingInterval: 'monthly',
  currency: 'usd',
  isRedeemed: false,
  hasIntroduction: false,
};

type Case = [reason: string, code: string, Partial<PromoCodeRow>, Partial<OfferRow>, Partial<PromoUse>];

const failing: Case[] = [
  ['inactive', 'promo_code_expired', { isActive: false }, {}, {}],
  ['expired', 'promo_code_expired', { expiresAt: now }, {}, {}],
  ['max_redemptions_reached', 'promo_code_expired', { maxRedemptions: 3n }, {}, {}],
  ['already_redeemed', 'offer_not_applicable', {}, {}, { isRedeemed: true }],
  ['plan_not_eligible', 'offer_not_applicable', { planIds: ['pln_2'] }, {}, {}],
  ['interval_not_eligible', 'offer_not_applicable', { billingInterval: 'yearly' }, {}, {}],
  ['intro_offer_active', 'offer_not_applicable', {}, {}, { hasIntroduction: true }],
  ['offer_inactive', 'offer_not_applicable', {}, { active: false }, {}],
  ['currency_not_configured', 'offer_not_applicable', {}, {}, { currency: 'eur' }],
];

describe('a promo code (OFR-34)', () => {
  test('is accepted within all limits', () => {
    const limits = {
      planIds: ['pln_2', 'pln_1'],
      billingInterval: 'monthly',
      maxRedemptions: 4n,
      expiresAt: new Date(now.getTime() + 1),
    } as const;
    expect(promoCodeRejection({ ...code, ...limits }, offer, use)).toBeNull();
    expect(promoCodeRejection(code, offer, use)).toBeNull();
  });

  test.each(failing)(
    "is rejected because it's %s, with the error code %s",
    (reason, rejected, codeChanges, offerChanges, useChanges) => {
      expect(
        promoCodeRejection(
          { ...code, ...codeChanges },
          { ...offer, ...offerChanges },
          { ...use, ...useChanges },
        ),
      ).toEqual({
        code: rejected,
        message: expect.stringMatching(/^[A-Z].*\.$/),
        param: 'promoCode',
        details: { reason },
      });
    },
  );

  test('is rejected with the first of several reasons', () => {
    // Each case fails the check under test and all later checks.
    for (let first = 0; first < failing.length; first++) {
      const rest = failing.slice(first);
      const merged = <T extends object>(base: T, index: 2 | 3 | 4): T =>
        Object.assign({}, base, ...rest.map((row) => row[index]));
      expect(promoCodeRejection(merged(code, 2), merged(offer, 3), merged(use, 4))?.details).toEqual({
        reason: rest[0]?.[0],
      });
    }
  });

  test.each<[string, Partial<OfferRow>]>([
    ['deleted', { deletedAt: now }],
    ['outside its window', { endsAt: now }],
    ['changed since the creation of the code', { phases: [{ type: 'free_trial', durationDays: 3 }] }],
  ])('is rejected with offer_inactive if the offer is %s', (_name, changes) => {
    expect(promoCodeRejection(code, { ...offer, ...changes }, use)?.details).toEqual({
      reason: 'offer_inactive',
    });
  });
});
