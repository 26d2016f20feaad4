import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { defaultPageSize, type Page, type PageArguments, pageWith } from '../../graphql/pages.ts';
import { type Allowance, loadAllowances, requireHeldCounts } from './store.ts';

/** Answered when no page is asked for, so that a client that never pages loses nothing. */
export const defaultSize = 1_000;

/** The opaque place of an allowance in its list, which is in order of the codes. */
const encodeCursor = ({ feature }: Allowance): string =>
  Buffer.from(`quota.${feature.code}`).toString('base64url');

/** Reads a cursor. Throws `validation_error` on `after` for anything this list did not hand out. */
function decodeCursor(cursor: string): string {
  const text = /^[A-Za-z0-9_-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  const code = /^quota\.([a-z0-9_]+)$/.exec(text)?.[1];
  if (code === undefined)
    throw validationError([{ field: 'after', message: 'is not a cursor of this list' }]);
  return code;
}

/** A page of the quota allowances of a customer, by code. Throws `customer_not_found` and `no_active_subscription`. */
export async function listAllowances(
  ctx: Context,
  { customerId: reference, ...args }: PageArguments & { readonly customerId: string },
): Promise<Page<Allowance>> {
  const after = args.after ? decodeCursor(args.after) : '';
  const { customerId } = await requireHeldCounts(ctx, reference);
  const rows = (await loadAllowances(ctx, customerId, 'quota')).filter(({ feature }) => feature.code > after);
  return pageWith(rows, args.first ?? (args.after ? defaultPageSize : defaultSize), encodeCursor);
}
