import type { Context } from '../../context.ts';
import { type Page, pageOfAll } from '../../graphql/connections.ts';
import { cursorFrom, readCursor } from '../../graphql/cursors.ts';
import { type PageArguments, pageRequest } from '../../graphql/pages.ts';
import { type Allowance, loadAllowances, requireHeldCounts } from './store.ts';

/** Answered when no page is asked for, so that a client that never pages loses nothing. */
export const defaultSize = 1_000;

/** The place of an allowance in its list, which is in order of the codes. */
const cursorOf = ({ feature }: Allowance): string => cursorFrom(`quota.${feature.code}`);

const codeFrom = (text: string): string | undefined => /^quota\.([a-z0-9_]+)$/.exec(text)?.[1];

const compareCode = ({ feature: { code } }: Allowance, place: string): number =>
  code === place ? 0 : code < place ? -1 : 1;

/** A page of the quota allowances of a customer, by code. Throws `customer_not_found` and `no_active_subscription`. */
export async function listAllowances(
  ctx: Context,
  { customerId: reference, ...args }: PageArguments & { readonly customerId: string },
): Promise<Page<Allowance>> {
  const request = pageRequest(
    args,
    (cursor, argument) => readCursor(cursor, argument, codeFrom),
    defaultSize,
  );
  const { customerId } = await requireHeldCounts(ctx, reference);
  const all = await loadAllowances(ctx, customerId, 'quota');
  return pageOfAll(all, request, { cursorOf, compare: compareCode });
}
