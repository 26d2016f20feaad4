import type { Context } from '../../context.ts';
import { authorize } from '../../graphql/access.ts';
import { checkUrl } from '../webhooks/store.ts';

// Addresses that files are put to. They are stored sealed, since the query of a signed address lets anybody write there.

/** What stands for the name of a file in an address. */
const filePart = '{file}';

/** The address of a file. */
export const addressOf = (url: string, fileName: string): string =>
  url.replaceAll(filePart, encodeURIComponent(fileName));

/** Whether each file of an export has an address of its own. */
export const namesFiles = (url: string): boolean => url.includes(filePart);

/** What is shown of an address: no query and no credentials, either of which may be a secret. */
export function shownAddress(url: string): string {
  const { protocol, host, pathname, search } = new URL(url.replaceAll(filePart, 'FILE'));
  return `${protocol}//${host}${pathname.replaceAll('FILE', filePart)}${search === '' ? '' : '?…'}`;
}

/**
 * The address as it is stored; null to take it away. Setting one takes the rights to make a webhook endpoint: files go on going there. Throws `forbidden`, and
 * `validation_error` for an address that may not be called, which is looked up in the name service: before the transaction, therefore.
 */
export async function sealAddress(ctx: Context, url: string | null): Promise<string | null> {
  await authorize({ scope: 'write', role: 'admin' }, {}, ctx);
  if (url === null) return null;
  await checkUrl(ctx, addressOf(url, 'file'), 'deliveryUrl');
  return ctx.app.secrets.encrypt(url);
}
