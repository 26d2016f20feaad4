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

/** The hosted checkout page. */
export const checkoutPage = (publicUrl: string): Served =>
  servePage(publicUrl, { name: 'checkout', title: 'Checkout', main, hasStripe: true });

const main = `<noscript><p>This page needs JavaScript to take a payment safely.</p></noscript>
<header>
${seller}
<h1 id="title" dir="auto" tabindex="-1">Checkout</h1>
<p id="summary"></p>
</header>
${sayings}
<section id="order" aria-label="Order" hidden>
<table><tbody id="lines"></tbody><tfoot id="totals"></tfoot></table>
</section>
<form id="payment" novalidate hidden>
<fieldset id="fields">
<legend>Card</legend>
${eitherCard}
<details id="billing">
<summary>Billing address and tax number</summary>
${billingFields}
</details>
${field('promoCode', 'Promo code (optional)', 'autocomplete="off" maxlength="200"')}
<p class="terms" id="terms"></p>
<button type="submit" id="pay">Pay</button>
</fieldset>
</form>
${bankConfirmation}
<p id="return" hidden><a id="return-link">Continue</a></p>
${testCards}`;
