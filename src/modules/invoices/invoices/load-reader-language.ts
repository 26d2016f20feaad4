import { customerLanguage } from '../../../domain/pages/page-language.ts';
import type { Language } from '../../../domain/text/language.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { loadPageLanguage } from '../../organization/organizations/types/page.ts';

/** Returns the customer whose portal or invoice page the caller views, and the session's language. `null` on other pages. */
async function readerOf(ctx: Context): Promise<{ session: Language | null; customerId: string } | null> {
  const { caller } = ctx;
  if (caller.kind !== 'page') return null;
  if (caller.page === 'invoice') {
    const invoice = await loadRow(ctx, 'Invoice', caller.subjectId);
    return invoice === null ? null : { session: null, customerId: invoice.customerId };
  }
  const session = caller.page === 'portal' ? await loadRow(ctx, 'PortalSession', caller.subjectId) : null;
  return session === null ? null : { session: session.locale, customerId: session.customerId };
}

/**
 * Returns the display language of an invoice. On customer pages, uses the first known language of the link, the
 * session, the customer, and the organization. Otherwise, uses the organization's language. `link` is the language in
 * the page's URL.
 */
export async function loadReaderLanguage(ctx: Context, link: string | null | undefined): Promise<Language> {
  const reader = await readerOf(ctx);
  if (reader === null) return loadPageLanguage(ctx, { link });
  const customer = await loadRow(ctx, 'Customer', reader.customerId);
  return loadPageLanguage(ctx, {
    link,
    session: reader.session,
    customer: customer === null ? null : customerLanguage(customer),
  });
}
