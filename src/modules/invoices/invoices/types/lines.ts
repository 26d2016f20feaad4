import { exponentOf } from '../../../../domain/money/money.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { CustomerCredit } from '../../../customers/credits/types.ts';
import { InvoiceChargeType, InvoiceLineType } from '../enums.ts';
import { type LineItem, loadLine } from '../load-parts.ts';
import { InvoiceLineExplanation } from './explanation.ts';

/** Line item fields that contain the price per unit. */
export type UnitAmount = Pick<LineItem, 'unitAmountRate' | 'exactUnitAmount' | 'currency'>;

/**
 * Returns the price per unit in minor units of the currency, with decimals if the price is below the smallest unit. For
 * display only.
 */
export const unitAmountOf = ({ unitAmountRate, exactUnitAmount, currency }: UnitAmount): number =>
  exactUnitAmount === null
    ? Number(unitAmountRate) / 10 ** (4 - exponentOf(currency))
    : Number(exactUnitAmount);

export const InvoiceLineItem = builder.objectRef<LineItem>('InvoiceLineItem').implement({
  ...node({ prefix: 'inl', load: loadLine }),
  description:
    'Line item of an invoice. `amount` is `quantity` multiplied by `unitAmount`, rounded once. For a rate with tiers, the line item amounts are rounded together and add up to the rounded price. An amount can then differ from `quantity` times `unitAmount` by less than one minor unit.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier with the prefix `inl_`.'),
    lineType: t.member('lineType', InvoiceLineType).describe('Type of the line item.'),
    featureName: t
      .maybe('featureName', 'String')
      .describe("Name of the feature. `null` if the line item isn't related to a feature."),
    description: t
      .member('description', 'String')
      .describe('Description of the line item, shown to the payer.'),
    quantity: t
      .member('quantity', 'SafeInt')
      .describe('Number of units in the line item, rounded to a whole number.'),
    exactQuantity: t
      .maybe('exactQuantity', 'Decimal')
      .describe(
        "Exact number of units in the line item. `null` unless the feature's meter has decimal places.",
      ),
    unitAmount: t.computed({
      type: 'Float',
      description: 'Price per unit in the smallest currency unit. Can be fractional, such as half a cent.',
      columns: ['unitAmountRate', 'exactUnitAmount', 'currency'],
      resolve: unitAmountOf,
    }),
    amount: t
      .member('amount', 'MINOR')
      .describe('Amount in the smallest currency unit. Negative for discounts and credits.'),
    includedAmount: t
      .maybe('includedAmount', 'SafeInt')
      .describe('Number of included units, before any overage. `null` unless the line item is overage.'),
    usedAmount: t
      .maybe('usedAmount', 'SafeInt')
      .describe('Number of used units. `null` unless the line item is overage.'),
    overageAmount: t
      .maybe('overageAmount', 'SafeInt')
      .describe('Number of overage units that are charged. `null` unless the line item is overage.'),
    discountType: t
      .maybe('discountType', 'String')
      .describe('Discount type: `percentage` or `amount`. `null` unless the line item is a discount.'),
    discountValue: t
      .maybe('discountValue', 'SafeInt')
      .describe(
        'Discount in basis points for a percentage, or in the smallest currency unit for an amount. `null` unless the line item is a discount.',
      ),
    discountName: t
      .maybe('discountName', 'String')
      .describe('Name of the offer. `null` unless the line item is a discount.'),
    credit: t.rowById('Lot', {
      type: CustomerCredit,
      id: ({ creditId }) => (creditId?.startsWith('crd_') === true ? creditId : null),
      nullable: true,
      description:
        "Customer credit that the line item applies. `null` if the line item doesn't apply a customer credit.",
    }),
    correction: t.rowById('UsageCorrection', {
      id: 'correctionId',
      nullable: true,
      description:
        "Correction of usage in an ended usage window that the line item charges or credits. `null` if the line item isn't the result of a correction.",
    }),
    chargeType: t
      .member('chargeType', InvoiceChargeType)
      .describe('Timing of the charge, relative to the period that the line item covers.'),
    periodStart: t
      .maybe('periodStart', 'DateTime')
      .describe(
        'Start of the period that the line item covers, inclusive. `null` if the line item covers the period of the invoice.',
      ),
    periodEnd: t
      .maybe('periodEnd', 'DateTime')
      .describe(
        'End of the period that the line item covers, exclusive. `null` if the line item covers the period of the invoice.',
      ),
    explanation: t
      .member('explanation', InvoiceLineExplanation)
      .describe("Explanation of how the line item's amount was calculated."),
  }),
});
