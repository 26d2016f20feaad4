import type { Served } from './asset.ts';
import { eitherCard, servePage, testCards } from './page.ts';

/** A page that asks the customer of a subscription for a card: to pay what is due, or to replace the stored one. Its address says which. */
export const cardPage = (publicUrl: string, title: string): Served => servePage(publicUrl, { name: 'card', title, main, hasStripe: true });

const main = `<noscript><p>This page needs JavaScript to take a card safely.</p></noscript>
<header>
<p class="seller" id="seller"></p>
<h1 id="title" tabindex="-1">Payment</h1>
<p id="summary"></p>
</header>
<p class="status" id="status" role="status" aria-live="polite">Loading …</p>
<p class="alert" id="alert" role="alert" hidden></p>
<form id="payment" novalidate hidden>
<fieldset id="fields">
<legend>Card</legend>
${eitherCard}
<button type="submit" id="pay">Pay</button>
</fieldset>
</form>
<p id="return" hidden><a id="return-link">Continue</a></p>
${testCards}`;
