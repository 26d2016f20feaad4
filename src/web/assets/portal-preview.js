// What something a customer is about to do in the portal leads to, in sentences.

import { day, money } from './page.js';

const usage = 'usage beyond what is included';

/** An amount, and whether usage is added to it. @param {any} next */
const amountOf = (next) => `${money(next, next.amount)}${next.isFinal ? '' : ` plus ${usage}`}`;

/** What is charged now. @param {any} preview @param {any} card */
function dueText({ amountDue, requiresCheckout, ...of }, card) {
  if (amountDue === 0) return 'Nothing is charged now.';
  const amount = money(of, amountDue);
  if (requiresCheckout) return `You pay ${amount} on the next page.`;
  return card === null
    ? `${amount} is charged now. The card is kept for later payments.`
    : `${amount} is charged to your card ending in ${card.last4} now.`;
}

/** What is charged at the next renewal, beside what would be without. @param {any} preview */
function renewalText({ nextCharge, nextChargeWithout }) {
  if (nextCharge === null) return 'Nothing is charged after that.';
  const before = nextChargeWithout === null ? null : amountOf(nextChargeWithout);
  const instead = before === null || before === amountOf(nextCharge) ? '' : ` instead of ${before}`;
  return `Your next charge is ${amountOf(nextCharge)}${instead}, on ${day(nextCharge.date)}.`;
}

/** What an action costs now and later. @param {any} preview @param {any} card the stored one, or null */
export function costText(preview, card) {
  const lapse = preview.lapsesAt === null ? '' : ` What is left of it lapses on ${day(preview.lapsesAt)}.`;
  return `${dueText(preview, card)} ${renewalText(preview)}${lapse}`;
}

/** What is still charged until access ends. @param {any} preview */
function laterText({ laterCharges, amountDueLater, isFinal, accessUntil, ...of }) {
  const [first] = laterCharges;
  const until = first === undefined ? day(accessUntil) : day(first.date);
  if (amountDueLater > 0)
    return `${money(of, amountDueLater)} is still charged on ${until}${isFinal ? '' : `, plus ${usage} until then`}.`;
  return isFinal
    ? 'Nothing more is charged.'
    : `If there is ${usage} until then, it is still charged on ${until}.`;
}

/** What a cancellation leads to. @param {any} preview @param {boolean} isAtOnce */
export function cancelText(preview, isAtOnce) {
  const { accessUntil, amountWithdrawn, creditsLost, balanceLost } = preview;
  const sentences = [
    isAtOnce || accessUntil === null
      ? 'Your access ends at once. This cannot be undone here.'
      : `You keep access until ${day(accessUntil)}.`,
    accessUntil === null ? '' : laterText(preview),
    amountWithdrawn > 0
      ? `${money(preview, amountWithdrawn)} that is owed now is not asked for any more.`
      : '',
    creditsLost > 0
      ? `${creditsLost.toLocaleString(document.documentElement.lang)} credits that are left can be used until then only.`
      : '',
    balanceLost > 0
      ? `${money(preview, balanceLost)} of balance that is left can be used until then only.`
      : '',
    isAtOnce ? '' : 'Until then you can change your mind.',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
