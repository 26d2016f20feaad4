import type { EnumRef, ObjectRef } from '@pothos/core';
import { builder } from '../../../graphql/builder.ts';
import type { Group, Page } from '../../../graphql/connections.ts';
import { bound, readingCost } from '../../../graphql/pagination.ts';
import type { Sum } from '../../../platform/db/row-list-figures.ts';
import { Currency } from '../enums.ts';

/** How the rows of a list with amounts are added up. */
type Totals = {
  /** The name of the type in the schema. */
  readonly name: string;
  /** What the rows are called: `invoices`. */
  readonly of: string;
  readonly status: {
    readonly type: EnumRef<typeof builder.$inferSchemaTypes, string>;
    readonly description: string;
  };
  /** The currency of all rows, for a table without a column of it. */
  readonly currency?: typeof Currency.$inferType;
  readonly sums: Readonly<Record<string, Sum & { readonly description: string }>>;
};

const totalsType = ({ name, of, status, currency, sums }: Totals) =>
  builder.objectRef<Group>(name).implement({
    description: `${of.charAt(0).toUpperCase()}${of.slice(1)} of one currency and status, added up.`,
    fields: (t) => ({
      currency: t.field({
        type: Currency,
        description:
          currency === undefined
            ? 'Lower-case ISO 4217 code of the amounts.'
            : `The currency of the amounts, always \`${currency}\`.`,
        resolve: (group) => currency ?? String(group['currency']),
      }),
      status: t.field({
        type: status.type,
        description: status.description,
        resolve: (group) => String(group['status']),
      }),
      count: t.int({
        description: `How many ${of} there are.`,
        resolve: ({ count }) => Number(count),
      }),
      ...Object.fromEntries(
        Object.entries(sums).map(([sum, { description }]) => [
          sum,
          t.field({
            type: 'SafeInt',
            amount: 'MINOR',
            description,
            resolve: (group) => group[sum] as bigint,
          }),
        ]),
      ),
    }),
  });

/** Gives the pages of a list `totals`: all rows of the list per currency and status. */
export function addTotals(
  connection: ObjectRef<typeof builder.$inferSchemaTypes, Page<object>>,
  totals: Totals,
): void {
  const type = totalsType(totals);
  const { of, currency } = totals;
  const sums = Object.fromEntries(
    Object.entries(totals.sums).map(([name, { column, where }]) => [
      name,
      where === undefined ? { column } : { column, where },
    ]),
  );
  const by = currency === undefined ? ['currency', 'status'] : ['status'];
  builder.objectField(connection, 'totals', (t) =>
    t.field({
      type: [type],
      nullable: true,
      description: `All ${of} of the list that pass its filters, not only those of the page, added up per currency and status. Null where there are more than \`upTo\`.`,
      args: { upTo: t.arg(bound(100_000, 1_000_000)) },
      complexity: ({ upTo }) => readingCost(upTo),
      resolve: async (page, { upTo }) => {
        const groups = await page.groups({ by, sums, limit: upTo });
        return groups === null ? null : [...groups];
      },
    }),
  );
}
