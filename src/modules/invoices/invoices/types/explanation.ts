import { type Explanation, formulas } from '../../../../domain/rows/explanation.ts';
import { builder } from '../../../../graphql/reading/builder.ts';

export const InvoiceLineFormula = builder.enumType('InvoiceLineFormula', {
  description: 'Formula that calculates the amount of a line item.',
  values: {
    price: { description: 'A price, without conversion or proration.' },
    price_share: { description: 'Price multiplied by the charged share of the days that the price covers.' },
    exchanged_price: { description: 'Price converted from US cents to another currency.' },
    exchanged_price_share: {
      description:
        'Price converted from US cents to another currency, multiplied by the charged share of the days that the price covers.',
    },
    units: { description: 'Units multiplied by a rate.' },
    units_for_days: {
      description: 'Units multiplied by a rate and by the charged share of the days that the rate covers.',
    },
    tier: {
      description:
        'Price of one part of a rate, such as a tier. Equals the rounded price of all parts up to and including this part, minus the rounded price of the previous parts.',
    },
    rise_for_days: {
      description:
        'Increase in the price of a rate, multiplied by the charged share of the days that the price covers.',
    },
    deficit: {
      description: "Part of a negative prepaid balance, limited to the amount that hasn't been billed yet.",
    },
    deficit_rest: { description: "Remainder of a negative prepaid balance that hasn't been billed yet." },
    unused_share: { description: 'Credit for the unused share of the days that a base amount covers.' },
    percentage_off: { description: 'Percentage of a base amount, in basis points.' },
    amount_off: { description: 'Fixed discount, limited to the base amount.' },
    fixed_price: { description: 'Difference between a base amount and the lower price that replaces it.' },
    difference: {
      description:
        'Price of the corrected usage in an ended usage window, minus the previously billed price.',
    },
    minimum_spend: {
      description: 'Difference between the minimum spend of a billing period and the charges of that period.',
    },
    credit: {
      description: 'Part of the remaining amount that a customer credit or the correction of usage covers.',
    },
  } as const,
});

const InvoiceLineRounding = builder.enumType('InvoiceLineRounding', {
  description: 'Rounding mode of the `round` function in a formula.',
  values: {
    half_up: { description: 'Rounds to the nearest whole number. Halves are rounded away from zero.' },
    none: { description: "The formula doesn't use `round`." },
  } as const,
});

const expressionOf = ({ formula }: Explanation): string => formulas[formula].expression;

export const InvoiceLineExplanation = builder.objectRef<Explanation>('InvoiceLineExplanation').implement({
  description:
    "Calculation of a line item's amount, for verification. Evaluating `expression` with the values in `inputs` results in `amount`, in the smallest currency unit. The amount is negative for discounts and credits.",
  fields: (t) => ({
    rule: t.member('rule', 'String').describe('ID of the documented rule that determines the amount.'),
    formula: t
      .member('formula', InvoiceLineFormula)
      .describe('Name of the formula that calculates the amount.'),
    expression: t.string({
      description:
        'Formula that consists of input names, whole numbers, `+ - * /` on exact fractions, parentheses, `min(a, b)`, and `round(a)`.',
      resolve: expressionOf,
    }),
    rounding: t.field({
      type: InvoiceLineRounding,
      description: 'Rounding mode of the formula.',
      resolve: (explanation) => (expressionOf(explanation).includes('round(') ? 'half_up' : 'none'),
    }),
    inputs: t
      .member('inputs', 'Json')
      .describe(
        'Input values by name, as whole numbers in strings. `price`, `billed`, `base`, `amount`, `open`, and `remaining` are in the smallest currency unit. Prices to be converted are in US cents. `rate` and `deficit` are in ten-thousandths of the currency unit (10,000 = 1.00), `before`, `after`, and `rise` are in units of 1/`scale` of the currency unit, `basis_points` is in basis points (10,000 = 100%), and `exchange_rate` is in hundred-millionths (100,000,000 = 1).',
      ),
  }),
});
