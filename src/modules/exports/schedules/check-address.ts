import { accessIn, authorize } from '../../../graphql/declare/access.ts';
import type { Context } from '../../../request/context.ts';
import { checkUrl } from '../../messages/webhooks/store.ts';

// Upload URLs for exports. The URLs are stored encrypted, because anyone with a signed URL can upload files.

/** Placeholder for the file name in an upload URL. */
const filePart = '{file}';

/** Returns the upload URL of a file, with the file name in place of the placeholder. */
export const addressOf = (url: string, fileName: string): string =>
  url.replaceAll(filePart, encodeURIComponent(fileName));

/** True if each file of an export is uploaded to its own URL. */
export const namesFiles = (url: string): boolean => url.includes(filePart);

/** Returns an upload URL for display, without the query string and credentials, which may contain secrets. */
export function shownAddress(url: string): string {
  const { protocol, host, pathname, search } = new URL(url.replaceAll(filePart, 'FILE'));
  return `${protocol}//${host}${pathname.replaceAll('FILE', filePart)}${search === '' ? '' : '?…'}`;
}

/**
 * Validates an upload URL and returns it encrypted. Returns `null` for `null`, which removes the URL. Requires the same
 * permission as creating a webhook endpoint, because the URL receives data continuously. Throws `forbidden`, and
 * `validation_error` if the URL isn't allowed. Call this function before the transaction, because it resolves the host
 * name.
 */
export async function sealAddress(ctx: Context, url: string | null): Promise<string | null> {
  await authorize(accessIn('exports', { scope: 'write', role: 'admin' }), {}, ctx);
  if (url === null) return null;
  await checkUrl(ctx, addressOf(url, 'file'), 'deliveryUrl');
  return ctx.app.secrets.encrypt(url);
}
