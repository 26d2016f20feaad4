import { dayMs } from '../../../domain/time/period.ts';
import type { Context } from '../../../request/context.ts';
import { requireInvoice } from './store.ts';

/** Page name in tokens for download links. */
export const documentPage = 'invoice_document';

const linkDays = 7;
/** URL of a PDF with its expiration time. */
export type DownloadLink = { readonly url: string; readonly expiresAt: Date };

/**
 * Creates a signed URL for downloading an invoice PDF without credentials. Valid for 7 days in real time (BIL-29).
 * Nothing is stored. Each call returns a new URL; expiration times are truncated to whole seconds. Throws
 * `invoice_not_found`.
 */
export async function downloadUrl(ctx: Context, invoiceId: string): Promise<DownloadLink> {
  const { id } = await requireInvoice(ctx, invoiceId);
  return downloadLink(ctx, id);
}

/** Creates the download URL for an existing invoice. Runs no SQL statements. */
export const downloadLink = (ctx: Context, id: string): Promise<DownloadLink> =>
  signedLink(ctx, { page: documentPage, path: 'invoices', id });

/** Signs a download URL below `/documents`, valid for 7 days. Runs no SQL statements. */
export async function signedLink(
  { app, environment, wall }: Context,
  { page, path, id }: { readonly page: string; readonly path: string; readonly id: string },
): Promise<DownloadLink> {
  const second = Math.floor(wall.now().getTime() / 1_000) * 1_000;
  const expiresAt = new Date(second + linkDays * dayMs);
  const token = await app.secrets.signLink({ page, environmentId: environment.id, subjectId: id }, expiresAt);
  return { url: `${app.config.publicUrl}/documents/${path}/${token}`, expiresAt };
}

/** Page name in tokens for hosted invoice pages. */
const invoicePageName = 'invoice';

/** Returns the URL of an invoice's hosted page. The URL is stable and doesn't expire. Runs no SQL statements. */
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
