import type { Served } from '../http/fixed-text.ts';
import {
  bankConfirmation,
  billingFields,
  eitherCard,
  field,
  sayings,
  seller,
  servePage,
  testCards,
} from './page.ts';

/** The hosted page of a payment link. */
export const paymentPage = (publicUrl: string): Served =>
  servePage(publicUrl, { name: 'pay', title: 'Payment', main, hasStripe: true });

const main = `<noscript><p>This page needs JavaScript to take a payment safely.</p></noscript>
<header>
${seller}
<h1 id="title" dir="auto" tabindex="-1">Payment</h1>
<p id="summary"></p>
</header>
${sayings}
<section id="order" aria-label="Amount" hidden>
<table><tbody id="lines"></tbody><tfoot id="totals"></tfoot></table>
</section>
<form id="payment" novalidate hidden>
<fieldset id="fields">
<legend>Payment</legend>
<div id="payer" hidden>
${field('email', 'E-mail address', 'type="email" autocomplete="email" maxlength="320" required')}
</div>
${eitherCard}
<details id="billing">
<summary>Billing address and tax number</summary>
${billingFields}
</details>
<button type="submit" id="pay">Pay</button>
</fieldset>
</form>
${bankConfirmation}
<p id="return" hidden><a id="return-link">Continue</a></p>
${testCards}`;
