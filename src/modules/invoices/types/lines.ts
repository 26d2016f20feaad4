import { exponentOf } from '../../../domain/money.ts';
import { builder } from '../../../graphql/builder.ts';
import { node } from '../../../graphql/node.ts';
import { InvoiceChargeType, InvoiceLineType } from '../enums.ts';
import { type LineItem, loadLine } from '../load-parts.ts';
import { InvoiceLineExplanation } from './explanation.ts';

/** A rate (10 000 is 1.00) in minor units of the currency, with the fractions a rate below the smallest unit has. For display only. */
export const unitAmountOf = (rate: bigint, currency: string): number =>
  Number(rate) / 10 ** (4 - exponentOf(currency));

export const InvoiceLineItem = builder.objectRef<LineItem>('InvoiceLineItem').implement({
  ...node({ prefix: 'inl', load: loadLine }),
  description: 'One line of an invoice: `quantity` times `unitAmount`, rounded once, is `amount`.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `inl_…`.' }),
    lineType: t.expose('lineType', { type: InvoiceLineType, description: 'What is charged or taken off.' }),
    featureName: t.exposeString('featureName', {
      nullable: true,
      description: 'Null for lines that are not about a feature.',
    }),
    description: t.exposeString('description', { description: 'What the line says to the payer.' }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'Number of units.' }),
    unitAmount: t.computed({
      type: 'Float',
      description:
        'Price of one unit in minor units of the currency; fractional for rates below the smallest unit.',
      columns: ['unitAmountRate', 'currency'],
      resolve: (line) => unitAmountOf(line.unitAmountRate, line.currency),
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units of the currency; negative for discounts and credits.',
    }),
    includedAmount: t.expose('includedAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'Units included; null but for overage.',
    }),
    usedAmount: t.expose('usedAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'Units used; null but for overage.',
    }),
    overageAmount: t.expose('overageAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'Units charged; null but for overage.',
    }),
    discountType: t.exposeString('discountType', {
      nullable: true,
      description: '`percentage` or `amount`; null but for discounts.',
    }),
    discountValue: t.expose('discountValue', {
      type: 'SafeInt',
      nullable: true,
      description: 'Basis points of a percentage, minor units of an amount; null but for discounts.',
    }),
    discountName: t.exposeString('discountName', {
      nullable: true,
      description: 'Name of the offer; null but for discounts.',
    }),
    credit: t.rowById('CustomerCredit', {
      id: 'creditId',
      nullable: true,
      description: 'The customer credit the line draws on; null for all other lines.',
    }),
    chargeType: t.expose('chargeType', {
      type: InvoiceChargeType,
      description: 'Whether the line pays in advance or afterwards.',
    }),
    periodStart: t.expose('periodStart', {
      type: 'DateTime',
      nullable: true,
      description: 'Start of the span the line is about, inclusive; null where it is that of the invoice.',
    }),
    periodEnd: t.expose('periodEnd', {
      type: 'DateTime',
      nullable: true,
      description: 'End of the span the line is about, exclusive; null where it is that of the invoice.',
    }),
    explanation: t.expose('explanation', {
      type: InvoiceLineExplanation,
      description: 'How the amount is computed.',
    }),
  }),
});
