import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { Explanation } from '../../domain/invoice/explanation.ts';
import { exponentOf } from '../../domain/money.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import { CustomerCredit } from '../customer-credits/types.ts';
import { InvoiceLineExplanation } from './explanation.ts';
import { InvoiceChargeType, InvoiceLineType } from './words.ts';

/** A line with the currency of its invoice. */
export type LineItem = Omit<Row<'InvoiceLine'>, 'explanation'> & { readonly explanation: Explanation; readonly currency: string };

/** The lines of an invoice in their order. Batched: all invoices of a page share one statement. */
export async function loadLines(
  context: Context,
  { id, currency }: Pick<Row<'Invoice'>, 'id' | 'currency'>,
  info?: GraphQLResolveInfo,
): Promise<LineItem[]> {
  const lines = await loadRowsBy(context, 'InvoiceLine', 'invoiceId', id, 'position', {}, info);
  // The engine is the only writer of the explanation and stores exactly this. The rows are the loader's own, and stay what it read.
  return lines.map((line) => Object.assign(line as Row<'InvoiceLine'> & { readonly explanation: Explanation }, { currency }));
}

/** A rate (10 000 is 1.00) in minor units of the currency, with the fractions a rate below the smallest unit has. For display only. */
export const unitAmountOf = (rate: bigint, currency: string): number => Number(rate) / 10 ** (4 - exponentOf(currency));

export const InvoiceLineItem = builder.objectRef<LineItem>('InvoiceLineItem').implement({
  description: 'One line of an invoice: `quantity` times `unitAmount`, rounded once, is `amount`.',
  fields: (t) => ({
    lineType: t.expose('lineType', { type: InvoiceLineType, description: 'What is charged or taken off.' }),
    featureName: t.exposeString('featureName', { nullable: true, description: 'Null for lines that are not about a feature.' }),
    description: t.exposeString('description', { description: 'What the line says to the payer.' }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'Number of units.' }),
    unitAmount: t.float({
      description: 'Price of one unit in minor units of the currency; fractional for rates below the smallest unit.',
      columns: ['unitAmountRate'],
      resolve: (line) => unitAmountOf(line.unitAmountRate, line.currency),
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units of the currency; negative for discounts and credits.',
    }),
    includedAmount: t.expose('includedAmount', { type: 'SafeInt', nullable: true, description: 'Units included; null but for overage.' }),
    usedAmount: t.expose('usedAmount', { type: 'SafeInt', nullable: true, description: 'Units used; null but for overage.' }),
    overageAmount: t.expose('overageAmount', { type: 'SafeInt', nullable: true, description: 'Units charged; null but for overage.' }),
    discountType: t.exposeString('discountType', { nullable: true, description: '`percentage` or `amount`; null but for discounts.' }),
    discountValue: t.expose('discountValue', {
      type: 'SafeInt',
      nullable: true,
      description: 'Basis points of a percentage, minor units of an amount; null but for discounts.',
    }),
    discountName: t.exposeString('discountName', { nullable: true, description: 'Name of the offer; null but for discounts.' }),
    credit: t.field({
      type: CustomerCredit,
      nullable: true,
      description: 'The customer credit the line draws on; null for all other lines.',
      columns: ['creditId'],
      resolve: ({ creditId }, _args, context, info) =>
        creditId === null ? null : loadExistingRow(context, 'CustomerCredit', creditId, info),
    }),
    chargeType: t.expose('chargeType', { type: InvoiceChargeType, description: 'Whether the line pays in advance or afterwards.' }),
    explanation: t.expose('explanation', { type: InvoiceLineExplanation, description: 'How the amount came about.' }),
  }),
});
