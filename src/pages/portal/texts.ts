import type { ResultOf } from '../../ui/documents.ts';
import { decimalsOf } from '../../ui/format/money.ts';
import { numberFormat } from '../../ui/format/numbers.ts';
import type { CurrentPage } from '../data/current-page.ts';
import { dayText, moneyText, type Priced, rateText } from '../format.ts';
import type { PortalWords } from './portal-words.ts';
import type { PortalStandingFragment } from './standing.graphql';
import type { PreviewDocument } from './steps.graphql';

// Text about amounts, cards and previews in the portal.

/** Page, and the messages that only the portal uses. */
export type Speaking = { readonly page: CurrentPage; readonly own: PortalWords };

export type Standing = PortalStandingFragment;

export type Preview = NonNullable<ResultOf<typeof PreviewDocument>['portalPreview']>;

type Interval = NonNullable<Standing['billingInterval']>;

/** Returns the price with its interval, such as "$49.00 per month". If there's no price, returns the text for free plans. */
export const priceText = (
  { page, own }: Speaking,
  priced: Priced & { readonly price: number | null; readonly billingInterval: Interval | null },
): string =>
  priced.price === null || priced.billingInterval === null
    ? own.free
    : own.per[priced.billingInterval]({ price: moneyText(page, priced, priced.price) });

/** Formats an amount of a balance; 10,000 = 1.00. */
export const balanceText = ({ page }: Speaking, currency: string, rate: number): string =>
  rateText(page, { currency, currencyDecimals: decimalsOf(currency) }, rate);

/** Formats a decimal amount in major units of a currency, with up to 9 decimals if the amount has them. */
export const decimalMoneyText = (language: string, currency: string, decimal: string): string =>
  numberFormat(language, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimalsOf(currency),
    maximumFractionDigits: 9,
    // The text contains only digits, but the formatter's type accepts only number literals.
  }).format(decimal as Intl.StringNumericLiteral);

/** Formats a time in a time zone, such as Dec 28, 2026, 00:00 UTC. */
export const momentText = (language: string, instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language, {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(instant));

/** Custom unit of an amount. */
export type Unit = { readonly name: string; readonly symbol: string | null; readonly decimals: number };

/** Formats an amount of a custom unit, such as 500.5 GPU s. */
export const unitText = (language: string, { name, symbol, decimals }: Unit, amount: number): string =>
  `${numberFormat(language, { maximumFractionDigits: decimals }).format(amount / 10 ** decimals)} ${symbol ?? name}`;

type CardName = {
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
};

/** Describes a card, such as "Visa ending in 4242, expires 12/99", or a bank account. */
export function cardText({ page, own }: Speaking, { brand, last4, expMonth, expYear }: CardName): string {
  const accounts: Readonly<Record<string, string>> = page.words.payment.instruments;
  if (accounts[brand] !== undefined) return own.cards.account({ name: accounts[brand], last4 });
  const name = `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
  return own.cards.name({
    brand: name,
    last4,
    expiry: `${String(expMonth).padStart(2, '0')}/${String(expYear).slice(-2)}`,
  });
}

type Charge = Priced & { readonly amount: number; readonly isFinal: boolean };

/** Returns the amount of a charge, and whether overage is added. */
function chargeText({ page, own }: Speaking, charge: Charge): string {
  const amount = moneyText(page, charge, charge.amount);
  return charge.isFinal ? amount : own.costs.plusUsage({ amount });
}

/** Describes the charge that is due now. */
function dueText({ page, own }: Speaking, preview: Preview, card: Standing['paymentMethod']): string {
  if (preview.amountDue === 0) return own.costs.nothing;
  const amount = moneyText(page, preview, preview.amountDue);
  if (preview.requiresCheckout) return own.costs.nextPage({ amount });
  return card === null ? own.costs.now({ amount }) : own.costs.toCard({ amount, last4: card.last4 });
}

/** Compares the charge at the next renewal with and without the action. */
function renewalText(speaking: Speaking, { nextCharge, nextChargeWithout }: Preview): string {
  const { costs } = speaking.own;
  if (nextCharge === null) return costs.nothingAfter;
  const [amount, day] = [chargeText(speaking, nextCharge), dayText(speaking.page, nextCharge.date)];
  const before = nextChargeWithout === null ? amount : chargeText(speaking, nextChargeWithout);
  return before === amount ? costs.next({ amount, day }) : costs.nextInstead({ amount, before, day });
}

/** Describes the charges of an action, now and later. */
export function costText(speaking: Speaking, preview: Preview, card: Standing['paymentMethod']): string {
  const { expiresAt } = preview;
  return [
    dueText(speaking, preview, card),
    renewalText(speaking, preview),
    ...(expiresAt === null ? [] : [speaking.own.costs.lapses({ day: dayText(speaking.page, expiresAt) })]),
  ].join(' ');
}

/** Describes the charges until access ends. */
function laterText({ page, own }: Speaking, preview: Preview, accessUntil: string): string {
  const { laterCharges, amountDueLater, isFinal } = preview;
  const day = dayText(page, laterCharges[0]?.date ?? accessUntil);
  if (amountDueLater === 0) return isFinal ? own.cancel.nothingMore : own.cancel.maybe({ day });
  const amount = moneyText(page, preview, amountDueLater);
  return isFinal ? own.cancel.stillCharged({ amount, day }) : own.cancel.stillChargedPlus({ amount, day });
}

/** Describes the rest of a pool, which is lost when access ends. */
function lostText({ page, own }: Speaking, { asset, amount, unit }: Preview['poolsLost'][number]): string {
  if (asset === 'credits') return own.cancel.creditsLost({ credits: amount });
  return unit === null
    ? own.cancel.balanceLost({ amount: balanceText({ page, own }, asset, amount) })
    : own.cancel.unitsLost({ amount: unitText(page.language, unit, amount) });
}

/** Describes the effects of a cancellation. */
export function cancelTexts(speaking: Speaking, preview: Preview, isAtOnce: boolean): string[] {
  const { page, own } = speaking;
  const { accessUntil, amountWithdrawn, poolsLost } = preview;
  return [
    isAtOnce || accessUntil === null
      ? own.cancel.atOnce
      : own.cancel.until({ day: dayText(page, accessUntil) }),
    ...(accessUntil === null ? [] : [laterText(speaking, preview, accessUntil)]),
    ...(amountWithdrawn > 0
      ? [own.cancel.withdrawn({ amount: moneyText(page, preview, amountWithdrawn) })]
      : []),
    ...poolsLost.map((pool) => lostText(speaking, pool)),
    ...(isAtOnce ? [] : [own.cancel.undo]),
  ];
}
