// What a customer can pay for in the portal beside the plan: what is owed, add-ons, credits, balance.

import { day, element, input, markField, money, typed } from './page.js';
import { addonMutation, creditsMutation, offMutation, topUpMutation } from './portal-documents.js';

/**
 * Shows what is owed, and lets it be paid. @param {any} subscription
 * @param {(isOtherCard: boolean) => unknown} pay
 */
export function showOwed(subscription, pay) {
  const owed = subscription?.amountOwed ?? null;
  element('owed').hidden = owed === null;
  if (owed === null) return;
  const { nextRetryAt, accessEndsAt } = subscription;
  const amount = money(subscription, owed);
  const next = nextRetryAt === null ? '' : ` It is charged again on ${day(nextRetryAt)}.`;
  const end = accessEndsAt === null ? '' : ` Access ends on ${day(accessEndsAt)} unless it is paid before.`;
  element('owed-text').textContent = `${amount} could not be collected.${next}${end}`;
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

/** An amount typed in, in minor units; null for anything but digits and decimals, since a comma may separate thousands elsewhere. @param {string} text @param {number} decimals */
function amountOf(text, decimals) {
  const pattern = decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+([.,]\\d{1,${decimals}})?$`);
  const amount = pattern.test(text) ? Math.round(Number(text.replace(',', '.')) * 10 ** decimals) : 0;
  return amount > 0 ? amount : null;
}

/**
 * Something that can be bought: the mutation, which action of the preview it is, its input, and what is said.
 * @typedef {{ mutation: string, action: string, what: Record<string, unknown>, title: string, label: string, done: string }} Purchase
 */

/**
 * Shows the extras of a subscription. `buy` says what a purchase costs, and makes it once the customer agrees.
 * @param {any} subscription @param {(purchase: Purchase) => unknown} buy
 */
export function showExtras(subscription, buy) {
  const { addons = [], offeredAddons = [], creditPacks = [], canTopUp = false } = subscription ?? {};
  const price = (/** @type {any} */ { amountDue }) => money(subscription, amountDue);
  const switchedOn = (/** @type {any} */ { addonId, name }) =>
    good(name, 'Switched on', 'Switch off', () =>
      buy({
        mutation: offMutation,
        action: 'addonDeactivate',
        what: { addonId },
        title: `Switch off ${name}?`,
        label: 'Switch off',
        done: `${name} is switched off.`,
      }),
    );
  const offered = (/** @type {any} */ addon) =>
    good(
      addon.name,
      `${addon.description ? `${addon.description} · ` : ''}${price(addon)} today`,
      'Add',
      () =>
        buy({
          mutation: addonMutation,
          action: 'addonActivate',
          what: { addonId: addon.addonId },
          title: `Add ${addon.name}?`,
          label: 'Add',
          done: `${addon.name} is switched on.`,
        }),
    );
  const pack = (/** @type {any} */ offer) =>
    good(offer.name, `${offer.credits} credits for ${price(offer)}`, 'Buy', () =>
      buy({
        mutation: creditsMutation,
        action: 'creditsPurchase',
        what: { creditPackId: offer.creditPackId },
        title: `Buy ${offer.credits} credits?`,
        label: 'Buy',
        done: `${offer.credits} credits were added.`,
      }),
    );
  element('goods').replaceChildren(
    ...addons.map(switchedOn),
    ...offeredAddons.map(offered),
    ...creditPacks.map(pack),
  );
  element('topup-form').hidden = !canTopUp;
  element('topup-form').onsubmit = (event) => {
    event.preventDefault();
    markField('topup', '');
    const amount = amountOf(typed('topup'), subscription.currencyDecimals);
    if (amount === null) {
      markField('topup', 'Enter an amount above 0, such as 1250 or 12.50.');
      return input('topup').focus();
    }
    const text = money(subscription, amount);
    return buy({
      mutation: topUpMutation,
      action: 'balanceTopUp',
      what: { amount },
      title: `Top up by ${text}?`,
      label: 'Top up',
      done: `Your balance was topped up by ${text}.`,
    });
  };
  element('extras').hidden = element('goods').childElementCount === 0 && !canTopUp;
}
