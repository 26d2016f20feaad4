import { defaultRejection, type Rejection, validationRejection } from '../../errors/errors.ts';
import { assetOf, poolOfAsset, poolsOf } from '../../pricing/pools.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { AutoTopUpRow, TopUpConsent } from '../../rows/topup-rows.ts';
import { settingProblem } from '../../topups/check.ts';
import { isCovered } from '../../topups/consent.ts';
import { termsOf } from '../../topups/terms.ts';
import { minimumCharge } from '../invoicing/invoicing.ts';
import { planOf, purchaseMethod } from '../pricing/lookup.ts';
import { resumeTopUp, triggerTopUp } from '../purchases/follow-topups.ts';
import {
  hasAsset,
  idle,
  packOf,
  refillPrice,
  totalWithTax,
  unscheduleTopUp,
} from '../purchases/topup-state.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { fieldRejection, noPaymentMethod, priceRejection, statusRejection } from '../state/rejections.ts';

/** Consent in a request. The terms of the setting are added to it. */
type GivenConsent = Omit<TopUpConsent, 'terms' | 'acceptedAt'> & {
  /** `null` selects the time of the request. */
  readonly acceptedAt: Date | null;
};

type Setting = Pick<AutoTopUpRow, 'threshold' | 'refill' | 'maxPerMonth' | 'maxAmountPerMonth' | 'minPause'>;

type Input = OnSubscription &
  Setting & {
    /** `null` selects the only pool of the plan. */
    readonly asset: string | null;
    readonly status: 'on' | 'off';
    /** `null` if the request contains no consent. */
    readonly consent: GivenConsent | null;
  };

/** Returns the asset of an automatic top-up, or the rejection if the plan doesn't use the asset. */
function topUpAsset(draft: Draft, subscription: SubscriptionRow, asset: string | null): string | Rejection {
  const pools = poolsOf(planOf(draft, subscription));
  const [first, ...others] = pools;
  if (first === undefined)
    return fieldRejection('asset', "The subscription's plan has no credits or balance to top up.");
  if (asset === null)
    return others.length === 0
      ? assetOf(first.pool, subscription.currency)
      : fieldRejection('asset', 'The plan has several accounts. Name the asset of one of them.');
  return hasAsset(draft, subscription, asset)
    ? asset
    : fieldRejection('asset', "The subscription's plan doesn't use this asset.");
}

/** Returns the rejection of a refill that doesn't fit the account: packs refill custom units, and amounts refill money. */
function kindRejection({ refill }: Setting, asset: string): Rejection | null {
  const isMoney = poolOfAsset(asset) !== asset;
  if ('creditPackId' in refill === !isMoney) return null;
  return fieldRejection(
    'refill',
    isMoney
      ? 'A balance is refilled by an amount or a target.'
      : 'A custom unit is refilled by a credit pack.',
  );
}

type Checked = { readonly price: bigint | null } | { readonly rejection: Rejection };

/** Returns the price of a refill, or the rejection if the setting can't be used. */
function checked(draft: Draft, subscription: SubscriptionRow, asset: string, setting: Setting): Checked {
  const { refill } = setting;
  const kind = kindRejection(setting, asset);
  if (kind !== null) return { rejection: kind };
  const pack = packOf(draft, refill, asset);
  if ('creditPackId' in refill && pack === null)
    return { rejection: defaultRejection('credit_pack_not_found', { param: 'refill' }) };
  const price = refillPrice(draft, subscription, { refill, asset });
  if (price === 'no_exchange_rate') return { rejection: priceRejection('missing_regional_price') };
  if (price === 'not_sellable')
    return { rejection: fieldRejection('refill', 'The purchase would exceed the maximum credit balance.') };
  const { currency } = subscription;
  const problem = settingProblem({
    ...setting,
    price,
    packCredits: pack?.credits ?? null,
    currency,
    totalOf: totalWithTax(draft),
    minimum: minimumCharge(draft, subscription, currency),
  });
  return problem === null ? { price } : { rejection: validationRejection([problem]) };
}

/** Returns the setting to change: the customer's setting of the account, or a new one that is off. */
function settingOf(
  draft: Draft,
  { id: subscriptionId, customerId }: SubscriptionRow,
  input: Setting,
  asset: string,
): AutoTopUpRow {
  const before = draft.topUps.all().find((row) => row.asset === asset);
  const isKept =
    before !== undefined && before.removedAt === null && before.subscriptionId === subscriptionId;
  if (before !== undefined && isKept) return before;
  const { threshold, refill, maxPerMonth, maxAmountPerMonth, minPause } = input;
  const fresh = {
    ...idle,
    subscriptionId,
    status: 'off',
    threshold,
    refill,
    maxPerMonth,
    maxAmountPerMonth,
    minPause,
    consent: null,
    removedAt: null,
    createdAt: draft.now,
    updatedAt: draft.now,
  } as const;
  return before === undefined
    ? draft.topUps.add({ ...fresh, id: draft.newId('atu'), seq: null, customerId, asset })
    : draft.topUps.patch(before.id, fresh);
}

/** Returns the rejection of a consent that was given after the request. `null` if it can be stored. */
const consentRejection = ({ now }: Draft, { consent }: Input): Rejection | null =>
  consent === null || consent.acceptedAt === null || consent.acceptedAt <= now
    ? null
    : fieldRejection('consent.acceptedAt', "The time of the consent can't be after the time of the request.");

/**
 * Sets the automatic top-up of an account. Enabling it, a higher threshold, a higher refill, a higher limit, and a shorter
 * pause need consent. A setting whose account is low is evaluated immediately. Checks, in this order: the status of the
 * subscription, the account, the refill, the limits, the consent, and the payment method.
 */
export const autoTopUpSet = subscriptionCommand({
  kind: 'auto_topup.set',
  needs: ({ subscriptionId, refill }: Input) => ({
    topUps: [subscriptionId],
    creditPacks: 'creditPackId' in refill ? [refill.creditPackId] : [],
  }),
  decide(draft: Draft, subscription: SubscriptionRow, input: Input): Decision {
    const rejection = statusRejection('purchase', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const asset = topUpAsset(draft, subscription, input.asset);
    if (typeof asset !== 'string') return draft.reject(asset);
    const result = checked(draft, subscription, asset, input);
    if ('rejection' in result) return draft.reject(result.rejection);
    const timeRejection = consentRejection(draft, input);
    if (timeRejection !== null) return draft.reject(timeRejection);
    const { threshold, refill, maxPerMonth, maxAmountPerMonth, minPause, status } = input;
    const terms = termsOf(input, result.price, subscription.currency);
    const known = draft.topUps.all().find((row) => row.asset === asset && row.removedAt === null);
    const isEnabled =
      known !== undefined && known.status !== 'off' && known.subscriptionId === subscription.id;
    const isAgreed = input.consent !== null || (isEnabled && isCovered(known.consent, terms));
    if (status === 'on' && !isAgreed)
      return draft.reject(
        fieldRejection(
          'consent',
          'The customer must agree to these terms. Send their consent, or a reference of it as consentReference.',
        ),
      );
    if (status === 'on' && purchaseMethod(draft, subscription) === null) return draft.reject(noPaymentMethod);
    const before = settingOf(draft, subscription, input, asset);
    const given = input.consent;
    const consent =
      given === null
        ? before.consent
        : { ...given, acceptedAt: (given.acceptedAt ?? draft.now).toISOString(), terms };
    const setting = draft.topUps.patch(before.id, {
      threshold,
      refill,
      maxPerMonth,
      maxAmountPerMonth,
      minPause,
      consent,
      updatedAt: draft.now,
    });
    if (status === 'off') {
      unscheduleTopUp(draft, setting);
      draft.topUps.patch(setting.id, { ...idle, status });
    } else if (setting.status === 'paused') resumeTopUp(draft, subscription, setting);
    else {
      const isWaitingForRetry = setting.reason === 'declined';
      if (!isWaitingForRetry) unscheduleTopUp(draft, setting);
      const on = draft.topUps.patch(setting.id, { status });
      if (!isWaitingForRetry) triggerTopUp(draft, subscription, on);
    }
    return draft.done('done', subscription.id);
  },
});
