import type { ResultOf } from '../../ui/documents.ts';
import { countText } from '../../ui/format/numbers.ts';
import type { CurrentPage } from '../data/current-page.ts';
import { dayText, moneyText, type Priced, rateText } from '../format.ts';
import type { PortalWords } from './own.ts';
import type { PortalStandingFragment } from './standing.graphql';
import type { PreviewDocument } from './steps.graphql';

// What the portal says about amounts, cards and what something leads to.

/** A page and what the portal says on it. */
export type Speaking = { readonly page: CurrentPage; readonly own: PortalWords };

/** The subscription of the portal. */
export type Standing = PortalStandingFragment;

/** What something leads to. */
export type Preview = NonNullable<ResultOf<typeof PreviewDocument>['portalPreview']>;

type Interval = NonNullable<Standing['billingInterval']>;

/** What an interval costs: $49.00 per month; a word where it costs nothing. */
export const priceText = (
  { page, own }: Speaking,
  priced: Priced & { readonly price: number | null; readonly billingInterval: Interval | null },
): string =>
  priced.price === null || priced.billingInterval === null
    ? own.free
    : own.per[priced.billingInterval](moneyText(page, priced, priced.price));

/** Money of a balance, which is counted in ten thousandths. */
export const balanceText = ({ page }: Speaking, currency: string, rate: number): string =>
  rateText(page, { currency, currencyDecimals: 2 }, rate);

type CardName = {
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
};

/** A card as people know it: Visa ending in 4242, expires 12/99. */
export function cardText({ own }: Speaking, { brand, last4, expMonth, expYear }: CardName): string {
  const name = `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
  return own.cards.name(name, last4, `${String(expMonth).padStart(2, '0')}/${String(expYear).slice(-2)}`);
}

type Charge = Priced & { readonly amount: number; readonly isFinal: boolean };

/** An amount, and whether usage is added to it. */
function chargeText({ page, own }: Speaking, charge: Charge): string {
  const amount = moneyText(page, charge, charge.amount);
  return charge.isFinal ? amount : own.costs.plusUsage(amount);
}

/** What is charged now. */
function dueText({ page, own }: Speaking, preview: Preview, card: Standing['paymentMethod']): string {
  if (preview.amountDue === 0) return own.costs.nothing;
  const amount = moneyText(page, preview, preview.amountDue);
  if (preview.requiresCheckout) return own.costs.nextPage(amount);
  return card === null ? own.costs.now(amount) : own.costs.toCard(amount, card.last4);
}

/** What is charged at the next renewal, beside what would be without. */
function renewalText(speaking: Speaking, { nextCharge, nextChargeWithout }: Preview): string {
  const { costs } = speaking.own;
  if (nextCharge === null) return costs.nothingAfter;
  const [amount, day] = [chargeText(speaking, nextCharge), dayText(speaking.page, nextCharge.date)];
  const before = nextChargeWithout === null ? amount : chargeText(speaking, nextChargeWithout);
  return before === amount ? costs.next(amount, day) : costs.nextInstead(amount, before, day);
}

/** What an action costs now and later. */
export function costText(speaking: Speaking, preview: Preview, card: Standing['paymentMethod']): string {
  const { lapsesAt } = preview;
  return [
    dueText(speaking, preview, card),
    renewalText(speaking, preview),
    ...(lapsesAt === null ? [] : [speaking.own.costs.lapses(dayText(speaking.page, lapsesAt))]),
  ].join(' ');
}

/** What is still charged until access ends. */
function laterText({ page, own }: Speaking, preview: Preview, accessUntil: string): string {
  const { laterCharges, amountDueLater, isFinal } = preview;
  const day = dayText(page, laterCharges[0]?.date ?? accessUntil);
  if (amountDueLater === 0) return isFinal ? own.cancel.nothingMore : own.cancel.maybe(day);
  const amount = moneyText(page, preview, amountDueLater);
  return isFinal ? own.cancel.stillCharged(amount, day) : own.cancel.stillChargedPlus(amount, day);
}

/** What a cancellation leads to, in sentences. */
export function cancelTexts(speaking: Speaking, preview: Preview, isAtOnce: boolean): string[] {
  const { page, own } = speaking;
  const { accessUntil, amountWithdrawn, creditsLost, balanceLost } = preview;
  return [
    isAtOnce || accessUntil === null ? own.cancel.atOnce : own.cancel.until(dayText(page, accessUntil)),
    ...(accessUntil === null ? [] : [laterText(speaking, preview, accessUntil)]),
    ...(amountWithdrawn > 0 ? [own.cancel.withdrawn(moneyText(page, preview, amountWithdrawn))] : []),
    ...(creditsLost !== null && creditsLost > 0
      ? [own.cancel.creditsLost(countText(creditsLost, page.language))]
      : []),
    ...(balanceLost !== null && balanceLost > 0
      ? [own.cancel.balanceLost(moneyText(page, preview, balanceLost))]
      : []),
    ...(isAtOnce ? [] : [own.cancel.undo]),
  ];
}
