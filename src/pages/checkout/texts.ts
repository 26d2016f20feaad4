import type { CurrentPage } from '../data/current-page.ts';
import { dayText, moneyText } from '../format.ts';
import type { Checkout } from './use-checkout.ts';

/** Returns the price with its interval, such as "$29.00 per month". `null` if there's no price. */
function priceText(page: CurrentPage, checkout: Checkout): string | null {
  const { price, billingInterval } = checkout;
  if (price === null) return null;
  const amount = moneyText(page, checkout, price);
  return billingInterval === null ? amount : page.words.checkout.per[billingInterval]({ price: amount });
}

/** Returns the price, the trial and the billed email address. */
export function summaryText(page: CurrentPage, checkout: Checkout): string {
  const words = page.words.checkout;
  const { trialDays, kind, customerEmail } = checkout;
  const price = priceText(page, checkout);
  const rate =
    trialDays > 0
      ? price === null
        ? words.trial({ days: trialDays })
        : words.trialThen({ days: trialDays, price })
      : price === null
        ? ''
        : words.summary({ price });
  const today = trialDays > 0 || kind === 'setup' ? words.nothingToday : '';
  return [rate, today, page.words.order.billedTo({ email: customerEmail })]
    .filter((each) => each !== '')
    .join(' ');
}

/** Returns the next charge, its interval and how to cancel. Empty if there's no next charge. */
export function termsText(page: CurrentPage, { nextCharge, branding }: Checkout): string {
  if (nextCharge === null) return '';
  const words = page.words.checkout;
  const { amount, date, isFinal, billingInterval } = nextCharge;
  const next = (isFinal ? words.next : words.nextWithUsage)({
    amount: moneyText(page, nextCharge, amount),
    day: dayText(page, date),
  });
  return billingInterval === null || billingInterval === 'one_time'
    ? next
    : `${next} ${words.renews[billingInterval]({ merchant: branding.name })}`;
}

/** Returns the status of a checkout. Empty while the checkout can be completed. */
export function statusText(page: CurrentPage, checkout: Checkout, isPaidNow: boolean): string {
  const words = page.words.checkout;
  if (checkout.status === 'canceled') return words.canceled({ merchant: checkout.branding.name });
  if (checkout.status === 'expired') return words.expired({ merchant: checkout.branding.name });
  if (checkout.status === 'open' && checkout.nextStep !== 'wait') return '';
  if (checkout.status === 'open') {
    const { payment } = page.words;
    const expectedOn = checkout.collection?.expectedOn ?? null;
    return expectedOn === null ? payment.underWay : payment.collecting({ day: dayText(page, expectedOn) });
  }
  if (!isPaidNow) return words.over;
  const done = words.done({ name: checkout.name });
  const { trialEndsAt } = checkout;
  return trialEndsAt === null ? done : `${done} ${words.trialUntil({ day: dayText(page, trialEndsAt) })}`;
}
