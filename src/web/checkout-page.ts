import type { Served } from './asset.ts';
import { billingFields, field, servePage } from './page.ts';

/** The hosted checkout page. */
export const checkoutPage = (publicUrl: string): Served => servePage(publicUrl, { name: 'checkout', title: 'Checkout', main });

const main = `<noscript><p>This page needs JavaScript to take a payment safely.</p></noscript>
<header>
<p class="seller" id="seller"></p>
<h1 id="title" tabindex="-1">Checkout</h1>
<p id="summary"></p>
</header>
<p class="status" id="status" role="status" aria-live="polite">Loading …</p>
<p class="alert" id="alert" role="alert" hidden></p>
<section id="order" aria-label="Order" hidden>
<table><tbody id="lines"></tbody><tfoot id="totals"></tfoot></table>
</section>
<form id="payment" novalidate hidden>
<fieldset id="fields">
<legend>Card</legend>
${field('number', 'Card number', 'inputmode="numeric" autocomplete="cc-number" maxlength="40" required')}
<div class="row">
${field('expiry', 'Expiry (MM/YY)', 'inputmode="numeric" autocomplete="cc-exp" placeholder="MM/YY" maxlength="9" required')}
${field('cvc', 'Security code', 'inputmode="numeric" autocomplete="cc-csc" maxlength="4" required')}
</div>
<details id="billing">
<summary>Billing address and tax number</summary>
${billingFields}
</details>
${field('promoCode', 'Promo code (optional)', 'autocomplete="off" maxlength="200"')}
<button type="submit" id="pay">Pay</button>
</fieldset>
</form>
<section id="authentication" aria-labelledby="authentication-title" hidden>
<h2 id="authentication-title">Confirm with your bank</h2>
<p>Your bank wants to know that it is you.</p>
<p class="row"><button type="button" id="confirm">Confirm payment</button><button type="button" class="quiet" id="refuse">Decline</button></p>
</section>
<p id="return" hidden><a id="return-link">Continue</a></p>
<aside id="hints" aria-label="Test cards" hidden>
<h2>Sandbox</h2>
<p>No money moves here. Any future expiry and any security code will do.</p>
<table>
<tr><th scope="row">4242 4242 4242 4242</th><td>pays</td></tr>
<tr><th scope="row">4000 0000 0000 0002</th><td>is declined</td></tr>
<tr><th scope="row">4000 0000 0000 9995</th><td>has insufficient funds</td></tr>
<tr><th scope="row">4000 0000 0000 0069</th><td>has expired</td></tr>
<tr><th scope="row">4000 0000 0000 3220</th><td>needs confirmation</td></tr>
<tr><th scope="row">4000 0000 0000 0341</th><td>pays once, is declined later</td></tr>
</table>
</aside>`;
