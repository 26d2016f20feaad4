import { type Page, pageOfAll } from '../../../graphql/reading/connections.ts';
import { cursorFrom, readCursor } from '../../../graphql/reading/cursors.ts';
import { type PageArguments, pageRequest } from '../../../graphql/reading/pages.ts';
import type { Context } from '../../../request/context.ts';
import { type Allowance, loadAllowances, requireHeldCounts } from './store.ts';

/** Default page size of quota lists. Large, so that clients that don't paginate still get all allowances. */
export const defaultSize = 1_000;

/** Returns the cursor of an allowance. The cursor contains the feature code, by which the list is sorted. */
const cursorOf = ({ feature }: Allowance): string => cursorFrom(`quota.${feature.code}`);

const codeFrom = (text: string): string | undefined => /^quota\.([a-z0-9_]+)$/.exec(text)?.[1];

const compareCode = ({ feature: { code } }: Allowance, place: string): number =>
  code === place ? 0 : code < place ? -1 : 1;

/** Returns a page of the customer's quota allowances, sorted by feature code. Throws `customer_not_found` and `no_active_subscription`. */
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
