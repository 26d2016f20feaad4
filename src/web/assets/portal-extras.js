// What a customer can pay for in the portal beside the plan: what is owed, add-ons, credits, balance.

import { element, input, markField, money, typed } from './page.js';

const addonMutation = `mutation Addon($input: PortalAddonActivateInput!) { portalAddonActivate(input: $input) { status } }`;

const offMutation = `mutation Off($input: PortalAddonDeactivateInput!) { portalAddonDeactivate(input: $input) { status } }`;

const creditsMutation = `mutation Credits($input: PortalCreditsPurchaseInput!) { portalCreditsPurchase(input: $input) { status } }`;

const topUpMutation = `mutation TopUp($input: PortalBalanceTopUpInput!) { portalBalanceTopUp(input: $input) { status } }`;

/** Shows what is owed, and lets it be paid. @param {any} subscription @param {(isOtherCard: boolean) => unknown} pay */
export function showOwed(subscription, pay) {
  const owed = subscription?.amountOwed ?? null;
  element('owed').hidden = owed === null;
  if (owed === null) return;
  const amount = money(subscription, owed);
  element('owed-text').textContent = `${amount} could not be collected. Your access goes on for a few days.`;
  element('pay-owed').textContent = `Pay ${amount}`;
  element('pay-owed').onclick = () => pay(false);
  element('pay-otherwise').onclick = () => pay(true);
}

/** A line with what it is and a button. @param {string} name @param {string} text @param {string} label @param {() => unknown} act */
export function good(name, text, label, act) {
  const item = document.createElement('li');
  const what = document.createElement('span');
  what.textContent = name;
  const detail = document.createElement('span');
  detail.className = 'faint';
  detail.textContent = text;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = label;
  button.setAttribute('aria-label', `${label}: ${name}`);
  button.addEventListener('click', act);
  what.append(document.createElement('br'), detail);
  item.append(what, button);
  return item;
}

/**
 * Shows the extras of a subscription. `buy` does a mutation and says what to say then.
 * @param {any} subscription @param {(mutation: string, what: Record<string, unknown>, done: string, needsCard: boolean) => unknown} buy
 */
export function showExtras(subscription, buy) {
  const { addons = [], offeredAddons = [], creditPacks = [], canTopUp = false, paymentMethod = null } = subscription ?? {};
  const needsCard = paymentMethod === null;
  const price = (/** @type {any} */ { amountDue }) => money(subscription, amountDue);
  element('goods').replaceChildren(
    ...addons.map((/** @type {any} */ { id, name }) =>
      good(name, 'Switched on', 'Switch off', () => buy(offMutation, { addonId: id }, `${name} is switched off.`, false)),
    ),
    ...offeredAddons.map((/** @type {any} */ addon) =>
      good(addon.name, `${addon.description ? `${addon.description} · ` : ''}${price(addon)} today`, 'Add', () =>
        buy(addonMutation, { addonId: addon.id }, `${addon.name} is switched on.`, needsCard && addon.amountDue > 0),
      ),
    ),
    ...creditPacks.map((/** @type {any} */ pack) =>
      good(pack.name, `${pack.credits} credits for ${price(pack)}`, 'Buy', () =>
        buy(creditsMutation, { creditPackId: pack.id }, `${pack.credits} credits were added.`, needsCard),
      ),
    ),
  );
  element('topup-form').hidden = !canTopUp;
  element('topup-form').onsubmit = (event) => {
    event.preventDefault();
    markField('topup', '');
    const amount = Math.round(Number(typed('topup').replace(',', '.')) * 10 ** subscription.currencyDecimals);
    if (!(amount > 0)) {
      markField('topup', 'Enter an amount above 0.');
      return input('topup').focus();
    }
    input('topup').value = '';
    return buy(topUpMutation, { amount }, `Your balance was topped up by ${money(subscription, amount)}.`, needsCard);
  };
  element('extras').hidden = element('goods').childElementCount === 0 && !canTopUp;
}
