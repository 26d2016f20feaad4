import type { Served } from '../http/fixed-text.ts';
import { field, sayings, servePage } from './page.ts';

/** The page at which a customer asks for a link to the portal, at `/portal/<slug of the organization>`. */
export const portalLoginPage = (publicUrl: string): Served =>
  servePage(publicUrl, { name: 'portal-login', title: 'Sign in', main, hasStripe: true });

const main = `<noscript><p>This page needs JavaScript.</p></noscript>
<header>
<img id="logo" class="logo" alt="" hidden>
<h1 id="title" dir="auto" tabindex="-1">Sign in</h1>
</header>
${sayings}
<form id="login" novalidate hidden>
<p id="text"></p>
${field('email', 'E-mail address', 'type="email" autocomplete="email" maxlength="320" required')}
<button type="submit" id="send"></button>
</form>`;
