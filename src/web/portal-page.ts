import type { Served } from '../http/fixed-text.ts';
import { bankConfirmation, billingFields, eitherCard, field, sayings, seller, servePage } from './page.ts';

/** The customer portal. */
export const portalPage = (publicUrl: string): Served =>
  servePage(publicUrl, { name: 'portal', title: 'Your subscription', main, hasStripe: true });

const main = `<noscript><p>This page needs JavaScript to show your subscription.</p></noscript>
<header>
${seller}
<h1 id="title" dir="auto" tabindex="-1">Your subscription</h1>
<p class="faint" id="customer"></p>
</header>
${sayings}
<div id="content" hidden>
<section class="card" aria-labelledby="plan-title">
<div class="head"><h2 id="plan-title"></h2><span class="badge" id="plan-status"></span></div>
<p id="plan-price"></p>
<p class="faint" id="no-plan" hidden>You have no subscription at the moment.</p>
<dl id="plan-facts"></dl>
<p class="actions" id="plan-actions">
<a class="button" id="complete" hidden>Complete payment</a>
<button type="button" id="comeback" hidden>Start again</button>
<button type="button" id="undo" hidden>Keep subscription</button>
<button type="button" id="keep-plan" hidden>Keep present plan</button>
<button type="button" class="quiet" id="cancel" hidden>Cancel subscription</button>
</p>
<details id="moves" hidden>
<summary>Change plan</summary>
<ul class="goods" id="moves-list"></ul>
</details>
</section>
<section class="card" id="owed" aria-labelledby="owed-title" hidden>
<h2 id="owed-title">Payment overdue</h2>
<p id="owed-text"></p>
<p class="actions">
<button type="button" id="pay-owed">Pay now</button>
<button type="button" class="quiet" id="pay-otherwise">Pay with another card</button>
</p>
</section>
<section class="card" id="usage" aria-labelledby="usage-title" hidden>
<h2 id="usage-title">Included and used</h2>
<ul id="features"></ul>
</section>
<section class="card" id="method" aria-labelledby="method-title" hidden>
<h2 id="method-title">Payment method</h2>
<p id="card"></p>
<p class="actions"><button type="button" class="quiet" id="replace-card">Use another card</button></p>
</section>
<section class="card" id="extras" aria-labelledby="extras-title" hidden>
<h2 id="extras-title">Extras</h2>
<ul class="goods" id="goods"></ul>
<form id="topup-form" novalidate hidden>
${field('topup', 'Top up your balance by', 'inputmode="decimal" autocomplete="off" maxlength="15"')}
<button type="submit" class="quiet">Top up</button>
</form>
</section>
<section class="card" aria-labelledby="invoices-title">
<h2 id="invoices-title">Invoices</h2>
<p class="faint" id="no-invoices" hidden>There are no invoices yet.</p>
<table id="invoices" hidden>
<thead><tr><th scope="col">Number</th><th scope="col">Date</th><th scope="col">Status</th><th scope="col">Total</th></tr></thead>
<tbody id="invoice-rows"></tbody>
</table>
<button type="button" class="quiet" id="more" hidden>Show earlier invoices</button>
</section>
<section class="card" aria-labelledby="billing-title">
<h2 id="billing-title">Billing details</h2>
<p id="billing-summary"></p>
<details id="billing">
<summary>Change billing details</summary>
<form id="billing-form" novalidate>
<fieldset id="fields">
<legend class="hidden">Billing details</legend>
${field('fullName', 'Name', 'autocomplete="name" maxlength="300"')}
${billingFields}
<button type="submit">Save</button>
</fieldset>
</form>
</details>
</section>
</div>
<dialog id="confirmation" aria-labelledby="confirmation-title" aria-describedby="confirmation-text">
<h2 id="confirmation-title">Cancel subscription?</h2>
<p id="confirmation-text"></p>
<p class="field"><label for="reason">Why are you leaving? (optional)</label><textarea id="reason" rows="3" maxlength="1000"></textarea></p>
<p class="actions"><button type="button" id="keep">Keep it</button><button type="button" class="quiet" id="cancel-confirm">Cancel subscription</button></p>
</dialog>
<dialog id="ask-dialog" aria-labelledby="ask-title" aria-describedby="ask-text">
<h2 id="ask-title">Go on?</h2>
<p id="ask-text"></p>
<p class="actions"><button type="button" id="ask-confirm">Go on</button><button type="button" class="quiet" id="ask-close">Not now</button></p>
</dialog>
<dialog id="bank-dialog" aria-labelledby="authentication-title" aria-describedby="authentication-text">
${bankConfirmation}
</dialog>
<dialog id="card-dialog" aria-labelledby="card-title">
<h2 id="card-title">Card</h2>
<p id="card-text"></p>
<form id="card-form" novalidate>
<fieldset>
<legend class="hidden">Card</legend>
${eitherCard}
</fieldset>
<p class="alert" id="card-alert" role="alert" tabindex="-1" hidden></p>
<p class="actions"><button type="submit" id="card-submit">Save card</button><button type="button" class="quiet" id="card-close">Not now</button></p>
</form>
</dialog>
<p id="return" hidden><a id="return-link"></a></p>`;
