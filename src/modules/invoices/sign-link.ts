import type { Context } from '../../context.ts';
import { requireInvoice } from './store.ts';

/** The page name in tokens of download links. */
export const documentPage = 'invoice_document';

const linkDays = 7;
const dayMs = 86_400_000;

/** An address of the PDF and the instant from which it no longer works. */
export type DownloadLink = { readonly url: string; readonly expiresAt: Date };

/**
 * A signed address at which the PDF of an invoice can be downloaded without further credentials, for seven days of operational time
 * (BIL-29). Writes nothing: every call makes another one, good to the whole second. Throws `invoice_not_found`.
 */
export async function downloadUrl(ctx: Context, invoiceId: string): Promise<DownloadLink> {
  const { id } = await requireInvoice(ctx, invoiceId);
  return downloadLink(ctx, id);
}

/** The same for an invoice that is known to exist; reads nothing. */
export async function downloadLink({ app, environment, wall }: Context, id: string): Promise<DownloadLink> {
  const second = Math.floor(wall.now().getTime() / 1_000) * 1_000;
  const expiresAt = new Date(second + linkDays * dayMs);
  const token = await app.secrets.signLink(
    { page: documentPage, environmentId: environment.id, subjectId: id },
    expiresAt,
  );
  return { url: `${app.config.publicUrl}/documents/invoices/${token}`, expiresAt };
}

/** The page name in tokens of pages that show an invoice. */
export const invoicePageName = 'invoice';

/** The address of the page of an invoice; it stays the same and does not end. Reads and writes nothing. */
export async function hostedUrl(
  { app, environment }: Pick<Context, 'app' | 'environment'>,
  id: string,
): Promise<string> {
  const token = await app.secrets.signPage({
    page: invoicePageName,
    environmentId: environment.id,
    subjectId: id,
  });
  return `${app.config.publicUrl}/invoice/${token}`;
}
