// Moves between plans and intervals in the portal, each confirmed with what it costs.

import { element, money, perInterval } from './page.js';
import { good } from './portal-extras.js';

/** @param {any} option */
const priceOf = (option) =>
  option.billingInterval === null
    ? 'Free'
    : `${money(option, option.price)}${perInterval(option.billingInterval)}`;

/**
 * Shows where a subscription can move to. `move` says what a move costs, and makes it once the customer agrees.
 * @param {any} subscription @param {{ currencyDecimals: number }} currency
 * @param {(option: any, price: string) => unknown} move
 */
export function showMoves(subscription, currency, move) {
  const options = (subscription?.planOptions ?? []).map((/** @type {any} */ option) => ({
    ...currency,
    ...option,
  }));
  element('moves').hidden = options.length === 0;
  element('keep-plan').hidden = (subscription?.scheduledPlanChange ?? null) === null;
  element('moves-list').replaceChildren(
    ...options.map((/** @type {any} */ option) =>
      good(option.planName, priceOf(option), 'Choose', () => move(option, priceOf(option))),
    ),
  );
}
