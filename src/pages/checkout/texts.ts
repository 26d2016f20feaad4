import type { CurrentPage } from '../data/current-page.ts';
import { dayText, moneyText } from '../format.ts';
import type { Checkout } from './use-checkout.ts';

// Sentences about a checkout.

/** The price of an interval: $29.00 per month. Null without one. */
function priceText(page: CurrentPage, checkout: Checkout): string | null {
  const { price, billingInterval } = checkout;
  if (price === null) return null;
  const amount = moneyText(page, checkout, price);
  return billingInterval === null ? amount : page.words.checkout.per[billingInterval](amount);
}

/** What it costs, whether there is a trial, and who is billed. */
export function summaryText(page: CurrentPage, checkout: Checkout): string {
  const words = page.words.checkout;
  const { trialDays, kind, customerEmail } = checkout;
  const price = priceText(page, checkout);
  const rate =
    trialDays > 0
      ? price === null
        ? words.trial(trialDays)
        : words.trialThen(trialDays, price)
      : price === null
        ? ''
        : words.summary(price);
  const today = trialDays > 0 || kind === 'setup' ? words.nothingToday : '';
  return [rate, today, page.words.order.billedTo(customerEmail)].filter((each) => each !== '').join(' ');
}

/** What is charged later, how often, and how that ends; empty where nothing is. */
export function termsText(page: CurrentPage, { nextCharge, branding }: Checkout): string {
  if (nextCharge === null) return '';
  const words = page.words.checkout;
  const { amount, date, isFinal, billingInterval } = nextCharge;
  const next = (isFinal ? words.next : words.nextWithUsage)(
    moneyText(page, nextCharge, amount),
    dayText(page, date),
  );
  const renewal = billingInterval === null ? '' : words.renews[billingInterval](branding.name);
  return renewal === '' ? next : `${next} ${renewal}`;
}

/** How a checkout stands; empty while it can be completed. */
export function statusText(page: CurrentPage, checkout: Checkout, isPaidNow: boolean): string {
  const words = page.words.checkout;
  if (checkout.status === 'canceled') return words.canceled;
  if (checkout.status === 'open') return checkout.nextStep === 'wait' ? page.words.payment.underWay : '';
  if (!isPaidNow) return words.over;
  const done = words.done(checkout.name);
  const { trialEndsAt } = checkout;
  return trialEndsAt === null ? done : `${done} ${words.trialUntil(dayText(page, trialEndsAt))}`;
}
