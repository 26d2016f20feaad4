import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { createPlan, off } from '../../../support/factories.ts';
import { type Emitted, OfferStories } from '../../../support/offer-stories.ts';
import { pay } from '../../../support/stories.ts';

// Applies offers through the public API to subscriptions in every status (OFR-21 to OFR-25).

describe('subscriptionOfferApply', () => {
  let stories: OfferStories;
  let offerId: string;
  const offerPath = ({ id }: Emitted) => `/subscriptions/${id}/offer`;
  const put = async (emitted: Emitted, body: Record<string, unknown> = {}) => {
    const { status, body: answer } = await stories.shop.rest<{ id: string }>('PUT', offerPath(emitted), {
      offerId,
      ...body,
    });
    expect([status, answer.id]).toEqual([200, emitted.id]);
  };
  /** Returns the error of a rejected request, and asserts that nothing changed. */
  const rejected = async (method: 'PUT' | 'DELETE', emitted: Emitted, body?: Record<string, unknown>) => {
    const changes = await watchChanges(stories.t.app.database.query);
    const answer = await stories.rejected(method, offerPath(emitted), body);
    expect(await changes()).toEqual([]);
    return answer;
  };
  const putRejected = (emitted: Emitted, body: Record<string, unknown> = {}) =>
    rejected('PUT', emitted, { offerId, ...body });

  beforeAll(async () => {
    stories = await OfferStories.at('2031-01-10T09:00:00Z');
    offerId = (await stories.offer(off.percent(2_000, 2))).id;
  });
  afterAll(() => stories.close());

  it('quotes the offer in an open checkout and replaces any earlier quote (OFR-21)', async () => {
    const plan = await stories.plan('monthly', 5_000);
    await stories.shop.rest('POST', '/promo-codes', {
      code: 'WAITING',
      offerId: (await stories.offer(off.percent(1_000, 1))).id,
    });
    const emitted = await stories.open(plan.id, { promoCode: 'WAITING' });
    await put(emitted);
    // 50.00 − 20% = 40.00
    expect(await stories.offers(emitted)).toEqual([
      'direct quoted 4000',
      '  percentage – –',
      'promo_code expired 4500',
      '  percentage – –',
    ]);
    expect(await pay(stories.t, emitted.token)).toBe('paid');
    expect((await stories.charged(emitted)).at(-1)).toBe('2031-01-10 2031-02-10 4000 paid');
  });

  it('replaces a trial, so the checkout requires payment at the same URL (OFR-21)', async () => {
    const emitted = await stories.open((await stories.plan('monthly', 5_000, { trialDays: 7 })).id);
    const { checkoutUrl } = await stories.read(emitted);
    await put(emitted);
    expect((await stories.read(emitted)).checkoutUrl).toBe(checkoutUrl);
    expect(await stories.events(emitted)).toEqual([
      'subscription.created',
      'trial.checkout_ready',
      'customer.state_changed:subscription_created',
      'invoice.created',
      'checkout.ready',
    ]);
    expect(await stories.offers(emitted)).toEqual([
      'direct quoted 4000',
      '  percentage – –',
      'custom expired null',
      '  free_trial – –',
    ]);
  });

  it('applies the offer to an active subscription from the next billing cycle, without changing the current invoice (OFR-21, OFR-22)', async () => {
    const emitted = await stories.begin((await stories.plan('monthly', 5_000)).id);
    await put(emitted, { expiresAt: '2031-01-11T00:00:00Z' });
    expect(await stories.read(emitted)).toMatchObject({
      status: 'active',
      offerApplications: [{ expiresAt: null }],
    });
    expect(await stories.offers(emitted)).toEqual([
      'direct applied 4000',
      '  percentage 2031-02-10 2031-04-10',
    ]);
    expect(await stories.charged(emitted)).toEqual(['2031-01-10 2031-02-10 5000 paid']);
    // No other offer can be applied, even if all phases are still pending.
    expect(await putRejected(emitted)).toEqual(['offer_not_applicable', 'other_offer_active']);
    expect(await rejected('DELETE', emitted)).toEqual(['invalid_subscription_status']);
  });

  it('applies the offer from the first charge after a trial (OFR-8, OFR-21, OFR-22)', async () => {
    const emitted = await stories.begin((await stories.plan('monthly', 5_000, { trialDays: 7 })).id);
    await put(emitted, { expiresAt: '2031-01-11T00:00:00Z' });
    expect(await stories.read(emitted)).toMatchObject({
      status: 'trialing',
      offerApplications: [{ expiresAt: null }, {}],
    });
    expect(await stories.offers(emitted)).toEqual([
      'direct applied 4000',
      '  percentage 2031-01-17 2031-03-17',
      'custom applied null',
      '  free_trial 2031-01-10 2031-01-17',
    ]);
  });

  it('rejects canceled, scheduled, and unknown subscriptions before checking the offer (OFR-21, OFR-23)', async () => {
    const plan = await stories.plan('monthly', 5_000);
    const draft = await stories.open(plan.id, { startDate: '2031-06-01T00:00:00Z' });
    const canceled = await stories.begin(plan.id);
    await stories.shop.rest('POST', `/subscriptions/${canceled.id}/cancel`, { immediate: true });
    for (const emitted of [draft, canceled]) {
      expect(await putRejected(emitted, { offerId: 'ofr_none' })).toEqual(['invalid_subscription_status']);
      expect(await rejected('DELETE', emitted)).toEqual(['invalid_subscription_status']);
    }
    const past = { ...draft, id: 'sub_none' };
    expect(await putRejected(past, { expiresAt: '2001-01-01T00:00:00Z' })).toEqual([
      'subscription_not_found',
    ]);
    expect(await putRejected(draft, { expiresAt: 'soon' })).toEqual(['validation_error']);
  });

  it('rejects offers with a trial, expiration times in the past, and subscriptions without further charges (OFR-21 to OFR-23)', async () => {
    const open = await stories.open((await stories.plan('monthly', 5_000)).id);
    const trial = await stories.offer(off.trial(3), off.percent(1_000, 1));
    expect(await putRejected(open, { offerId: trial.id })).toEqual(['offer_not_applicable', 'free_trial']);
    expect(await putRejected(open, { expiresAt: '2031-01-10T09:00:00Z' })).toEqual(['validation_error']);
    const once = await stories.begin((await stories.plan('one_time', 5_000)).id);
    expect(await putRejected(once)).toEqual(['offer_not_applicable', 'no_next_cycle']);
    const free = await stories.open((await createPlan(stories.shop, { isFree: true })).id);
    expect(await putRejected(free)).toEqual(['offer_not_applicable', 'no_next_cycle']);
    // If both an applied offer and a trial prevent the new offer, the trial is checked first.
    const running = await stories.begin((await stories.plan('monthly', 5_000)).id);
    await put(running);
    expect(await putRejected(running, { offerId: trial.id })).toEqual(['offer_not_applicable', 'free_trial']);
  });

  it('can be undone before the first charge if the offer was applied directly, which restores the full price (OFR-24, OFR-25)', async () => {
    const plan = await stories.plan('monthly', 5_000);
    const emitted = await stories.open(plan.id);
    expect(await rejected('DELETE', emitted)).toEqual(['offer_not_found']);
    await put(emitted);
    const { checkoutUrl } = await stories.read(emitted);
    const events = await stories.events(emitted);
    await put(emitted);
    expect(await stories.events(emitted)).toEqual(events);
    const { status, body } = await stories.shop.rest<{ id: string; checkoutUrl: string }>(
      'DELETE',
      offerPath(emitted),
    );
    expect([status, body.id, body.checkoutUrl]).toEqual([200, emitted.id, checkoutUrl]);
    expect(await stories.offers(emitted)).toEqual(['direct expired 4000', '  percentage – –']);
    expect((await stories.charged(emitted)).at(-1)).toBe('2031-01-10 2031-01-10 5000 outstanding');
    expect(await rejected('DELETE', emitted)).toEqual(['offer_not_found']);
    const coded = await stories.open(plan.id, { promoCode: 'WAITING' });
    expect(await rejected('DELETE', coded)).toEqual(['offer_not_found']);
  });

  it('applies the offer to a subscription with a scheduled cancellation, but uses it only if the cancellation is undone (OFR-21)', async () => {
    const plan = await stories.plan('monthly', 5_000);
    const [ending, revoked, owing] = [
      await stories.begin(plan.id),
      await stories.begin(plan.id),
      await stories.begin(plan.id, {}, '4000000000000341'),
    ];
    for (const emitted of [ending, revoked]) {
      await stories.shop.rest('POST', `/subscriptions/${emitted.id}/cancel`, {});
      await put(emitted);
      expect(await stories.offers(emitted)).toEqual([
        'direct applied 4000',
        '  percentage 2031-02-10 2031-04-10',
      ]);
    }
    expect((await stories.shop.rest('POST', `/subscriptions/${revoked.id}/uncancel`, {})).status).toBe(200);
    await stories.to('2031-02-10T00:00:00Z');
    expect(await stories.charged(ending)).toHaveLength(1);
    expect((await stories.charged(revoked)).at(-1)).toBe('2031-02-10 2031-03-10 4000 paid');
    expect((await stories.read(owing)).status).toBe('past_due');
    expect(await putRejected(owing)).toEqual(['invalid_subscription_status']);
    await stories.end(revoked);
  });
});
