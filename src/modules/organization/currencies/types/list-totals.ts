import type { EnumRef, ObjectRef } from '@pothos/core';
import type { Scale } from '../../../../graphql/declare/amount.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { Group, Page } from '../../../../graphql/reading/connections.ts';
import { bound, readingCost } from '../../../../graphql/reading/pagination.ts';
import type { Sum } from '../../../../platform/db/row-list-figures.ts';
import { Currency } from '../enums.ts';

type Totals = {
  /** Name of the GraphQL type for the totals. */
  readonly name: string;
  /** Plural noun that the descriptions use for the rows, such as `invoices`. */
  readonly of: string;
  /** Type and description of the column that the rows are grouped by, in addition to the currency. */
  readonly status: {
    readonly type: EnumRef<typeof builder.$inferSchemaTypes, string>;
    readonly description: string;
    /** Name of the column and of its field. Defaults to `status`. */
    readonly column?: 'reason';
  };
  /** Currency of all rows. Set only if the table has no currency column. */
  readonly currency?: typeof Currency.$inferType;
  readonly sums: Readonly<Record<string, Sum & { readonly description: string; readonly amount?: Scale }>>;
};

const columnOf = ({ status }: Totals): string => status.column ?? 'status';

const totalsType = (totals: Totals) => {
  const { name, of, status, currency, sums } = totals;
  const column = columnOf(totals);
  return builder.objectRef<Group>(name).implement({
    description: `Totals of ${of} with the same currency and ${column}.`,
    fields: (t) => ({
      currency: t.field({
        type: Currency,
        description:
          currency === undefined
            ? 'Currency of the totals, as a lowercase ISO 4217 code.'
            : `Currency of the totals: always \`${currency}\`.`,
        resolve: (group) => currency ?? String(group['currency']),
      }),
      [column]: t.field({
        type: status.type,
        description: status.description,
        resolve: (group) => String(group[column]),
      }),
      count: t.int({
        description: `Number of ${of}.`,
        resolve: ({ count }) => Number(count),
      }),
      ...Object.fromEntries(
        Object.entries(sums).map(([sum, { description, amount = 'MINOR' }]) => [
          sum,
          t.field({
            type: 'SafeInt',
            amount,
            description,
            resolve: (group) => group[sum] as bigint,
          }),
        ]),
      ),
    }),
  });
};

/** Adds a `totals` field to a connection: totals of all rows in the list, per currency and status or reason. */
export function addTotals(
  connection: ObjectRef<typeof builder.$inferSchemaTypes, Page<object>>,
  totals: Totals,
): void {
  const type = totalsType(totals);
  const { of, currency } = totals;
  const sums = Object.fromEntries(
    Object.entries(totals.sums).map(([name, { description: _description, amount: _amount, ...sum }]) => [
      name,
      sum,
    ]),
  );
  const column = columnOf(totals);
  const by = currency === undefined ? ['currency', column] : [column];
  builder.objectField(connection, 'totals', (t) =>
    t.field({
      type: [type],
      nullable: true,
      description: `Totals of all ${of} that match the filters, across all pages, by currency and ${column}. \`null\` if there are more than \`upTo\` ${of}.`,
      args: { upTo: t.arg(bound(100_000, 1_000_000)) },
      complexity: ({ upTo }) => readingCost(upTo),
      resolve: async (page, { upTo }) => {
        const groups = await page.groups({ by, sums, limit: upTo });
        return groups === null ? null : [...groups];
      },
    }),
  );
}
