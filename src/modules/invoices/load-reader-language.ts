import type { Context } from '../../context.ts';
import type { Language } from '../../domain/amount-text.ts';
import { customerLanguage } from '../../domain/page-language.ts';
import { loadRow } from '../../graphql/loaders.ts';
import { loadPageLanguage } from '../organizations/types/page.ts';

/** The customer whose portal or invoice the caller reads, and the language of the session there; null for callers elsewhere. */
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
 * The language of who reads an invoice: on a page for customers that of the link, the session, the customer or the seller; the seller's for
 * everybody else. `link` is what the address of the page names.
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
