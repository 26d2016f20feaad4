import type { Served } from '../http/fixed-text.ts';
import { bankConfirmation, eitherCard, sayings, seller, servePage, testCards } from './page.ts';

/** A page that asks the customer of a subscription for a card: to pay what is due, or to replace the stored one. Its address says which. */
export const cardPage = (publicUrl: string, title: string): Served =>
  servePage(publicUrl, { name: 'card', title, main, hasStripe: true });

const main = `<noscript><p>This page needs JavaScript to take a card safely.</p></noscript>
<header>
${seller}
<h1 id="title" dir="auto" tabindex="-1">Payment</h1>
<p id="summary"></p>
</header>
${sayings}
<form id="payment" novalidate hidden>
<fieldset id="fields">
<legend>Card</legend>
${eitherCard}
<button type="submit" id="pay">Pay</button>
</fieldset>
</form>
${bankConfirmation}
<p id="return" hidden><a id="return-link">Continue</a></p>
${testCards}`;
