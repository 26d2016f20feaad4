import type { Served } from '../http/fixed-text.ts';
import { field, sayings, servePage } from './page.ts';

/**
 * The page on which a person takes over an organization or joins one: one document for every link. Its script reads the token from the
 * address, asks for an account, and accepts.
 */
export const claimPage = (publicUrl: string): Served =>
  servePage(publicUrl, { name: 'claim', title: 'Organization', main });

const main = `<noscript><p>This page needs JavaScript.</p></noscript>
<header>
<h1 id="title" tabindex="-1">Organization</h1>
<p id="summary"></p>
</header>
${sayings}
<p id="onward" hidden><a id="dashboard">Open the dashboard</a></p>
<form id="account" novalidate hidden>
<fieldset id="fields">
<legend id="account-title">Create an account</legend>
${field('name', 'Your name', 'autocomplete="name" maxlength="200" required')}
${field('email', 'E-mail', 'type="email" autocomplete="email" maxlength="320" required')}
${field('password', 'Password (10 characters or more)', 'type="password" autocomplete="new-password" maxlength="128" required')}
<button type="submit" id="submit">Create account and take over</button>
<button type="button" class="quiet" id="switch">I have an account</button>
</fieldset>
</form>
<section id="confirmation" aria-labelledby="title" hidden>
<p id="signed-in"></p>
<p class="row"><button type="button" id="accept">Take ownership</button><button type="button" class="quiet" id="leave">Use another account</button></p>
</section>`;
