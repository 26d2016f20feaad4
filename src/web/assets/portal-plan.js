// Moves between plans and intervals in the portal, each confirmed with what it costs.

import { element, money } from './page.js';
import { good } from './portal-extras.js';

export const moveMutation = `mutation Move($input: PortalPlanChangeInput!) { portalPlanChange(input: $input) { outcome checkoutUrl } }`;

export const keepMutation = `mutation Keep($input: PortalScheduledChangeRevokeInput!) { portalScheduledChangeRevoke(input: $input) { status } }`;

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('move-dialog'));

const intervals = { weekly: 'per week', monthly: 'per month', quarterly: 'per quarter', yearly: 'per year', one_time: 'once' };

/** @param {any} option */
const priceOf = (option) =>
  option.billingInterval === null ? 'Free' : `${money(option, option.price)} ${intervals[option.billingInterval]}`;

/** What a move means, in a sentence. @param {any} option @param {(instant: string) => string} day */
function consequence(option, day) {
  if (option.timing === 'scheduled') return `Nothing changes before ${day(option.effectiveDate)}, and nothing is charged today.`;
  const amount = money(option, option.amountDue);
  return option.timing === 'checkout'
    ? `You pay ${amount} on the next page.`
    : `${amount} is charged to your card now, and the plan changes at once.`;
}

/**
 * Shows where a subscription can move to. `move` is called once the customer has confirmed.
 * @param {any} subscription @param {{ currencyDecimals: number }} currency @param {(instant: string) => string} day
 * @param {(what: { planId: string, billingInterval: string | null }) => unknown} move
 */
export function showMoves(subscription, currency, day, move) {
  const options = (subscription?.planOptions ?? []).map((/** @type {any} */ option) => ({ ...currency, ...option }));
  element('moves').hidden = options.length === 0;
  element('keep-plan').hidden = (subscription?.scheduledPlanChange ?? null) === null;
  element('moves-list').replaceChildren(
    ...options.map((/** @type {any} */ option) =>
      good(option.planName, priceOf(option), 'Choose', () => {
        element('move-title').textContent = `Change to ${option.planName}?`;
        element('move-text').textContent = `${priceOf(option)}. ${consequence(option, day)}`;
        element('move-confirm').onclick = () => {
          dialog.close();
          const interval = option.billingInterval === 'one_time' ? null : option.billingInterval;
          return move({ planId: option.planId, billingInterval: interval });
        };
        dialog.showModal();
      }),
    ),
  );
}

element('move-close').addEventListener('click', () => dialog.close());
