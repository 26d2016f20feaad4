import { exponentOf } from '../../../../domain/money/money.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { InvoiceChargeType, InvoiceLineType } from '../enums.ts';
import { type LineItem, loadLine } from '../load-parts.ts';
import { InvoiceLineExplanation } from './explanation.ts';

/**
 * Converts a rate, in ten-thousandths of the currency unit, to minor units of the currency, with decimals
 * if the rate is below the smallest unit. For display only.
 */
export const unitAmountOf = (rate: bigint, currency: string): number =>
  Number(rate) / 10 ** (4 - exponentOf(currency));

export const InvoiceLineItem = builder.objectRef<LineItem>('InvoiceLineItem').implement({
  ...node({ prefix: 'inl', load: loadLine }),
  description: 'Line item of an invoice. `amount` is `quantity` multiplied by `unitAmount`, rounded once.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier with the prefix `inl_`.' }),
    lineType: t.expose('lineType', { type: InvoiceLineType, description: 'Type of the line item.' }),
    featureName: t.exposeString('featureName', {
      nullable: true,
      description: "Name of the feature. `null` if the line item isn't related to a feature.",
    }),
    description: t.exposeString('description', { description: 'Text of the line item, shown to the payer.' }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'Number of units.' }),
    unitAmount: t.computed({
      type: 'Float',
      description: 'Price per unit in the smallest currency unit. Can be fractional, such as half a cent.',
      columns: ['unitAmountRate', 'currency'],
      resolve: (line) => unitAmountOf(line.unitAmountRate, line.currency),
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount in the smallest currency unit. Negative for discounts and credits.',
    }),
    includedAmount: t.expose('includedAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'Number of included units, before any overage. `null` unless the line item is overage.',
    }),
    usedAmount: t.expose('usedAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'Number of used units. `null` unless the line item is overage.',
    }),
    overageAmount: t.expose('overageAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'Number of charged units of overage. `null` unless the line item is overage.',
    }),
    discountType: t.exposeString('discountType', {
      nullable: true,
      description: 'Discount type: `percentage` or `amount`. `null` unless the line item is a discount.',
    }),
    discountValue: t.expose('discountValue', {
      type: 'SafeInt',
      nullable: true,
      description:
        'Discount in basis points for a percentage, or in the smallest currency unit for an amount. `null` unless the line item is a discount.',
    }),
    discountName: t.exposeString('discountName', {
      nullable: true,
      description: 'Name of the offer. `null` unless the line item is a discount.',
    }),
    credit: t.rowById('CustomerCredit', {
      id: 'creditId',
      nullable: true,
      description:
        "Customer credit that the line item applies. `null` if the line item doesn't apply a customer credit.",
    }),
    chargeType: t.expose('chargeType', {
      type: InvoiceChargeType,
      description: 'Time at which the line item is charged, relative to its period.',
    }),
    periodStart: t.expose('periodStart', {
      type: 'DateTime',
      nullable: true,
      description:
        'Start of the period that the line item covers, inclusive. `null` if the line item covers the period of the invoice.',
    }),
    periodEnd: t.expose('periodEnd', {
      type: 'DateTime',
      nullable: true,
      description:
        'End of the period that the line item covers, exclusive. `null` if the line item covers the period of the invoice.',
    }),
    explanation: t.expose('explanation', {
      type: InvoiceLineExplanation,
      description: 'Calculation of the amount.',
    }),
  }),
});
