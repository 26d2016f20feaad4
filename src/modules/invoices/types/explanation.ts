import { type Explanation, formulas } from '../../../domain/invoicing/explanation.ts';
import { builder } from '../../../graphql/builder.ts';

export const InvoiceLineFormula = builder.enumType('InvoiceLineFormula', {
  description: 'Every way a line comes to its amount.',
  values: {
    price: { description: 'A price as it stands.' },
    price_share: { description: 'The share of a price that falls on some of its days.' },
    exchanged_price: { description: 'A price in US cents in another currency.' },
    exchanged_price_share: { description: 'The share of such a price that falls on some of its days.' },
    units: { description: 'Units at a rate.' },
    units_for_days: { description: 'Units at a rate, for some of the days it is the rate of.' },
    deficit: { description: 'A part of a deficit, as far as the deficit is not billed yet.' },
    deficit_rest: { description: 'What is left of a deficit to be billed.' },
    unused_share: { description: 'What of a base falls on the days that are not used, given back.' },
    percentage_off: { description: 'Basis points off a base.' },
    amount_off: { description: 'An amount off a base, not more than the base.' },
    fixed_price: { description: 'The difference between a base and the lower price in its place.' },
    credit: { description: 'What a credit covers of what is open.' },
  } as const,
});

const InvoiceLineRounding = builder.enumType('InvoiceLineRounding', {
  description: 'How `round` rounds to a whole number.',
  values: {
    half_up: { description: 'To the nearest one; halves away from zero.' },
    none: { description: 'Nothing is rounded.' },
  } as const,
});

const expressionOf = ({ formula }: Explanation): string => formulas[formula].expression;

export const InvoiceLineExplanation = builder.objectRef<Explanation>('InvoiceLineExplanation').implement({
  description:
    'How the amount of a line is computed, so that it can be checked: `expression` with the values of `inputs` gives `amount`, in minor units of the invoice, negative for what lowers it.',
  fields: (t) => ({
    rule: t.exposeString('rule', { description: 'Id of the documented rule that gives the amount.' }),
    formula: t.expose('formula', { type: InvoiceLineFormula, description: 'The name of the formula.' }),
    expression: t.string({
      description:
        'The formula: names of inputs, whole numbers, `+ - * /` on exact fractions, parentheses, `min(a, b)` and `round(a)`.',
      resolve: expressionOf,
    }),
    rounding: t.field({
      type: InvoiceLineRounding,
      description: 'How it rounds.',
      resolve: (explanation) => (expressionOf(explanation).includes('round(') ? 'half_up' : 'none'),
    }),
    inputs: t.expose('inputs', {
      type: 'Json',
      description:
        'Whole numbers as text, by name. `price`, `base`, `amount`, `open` and `remaining` are minor units, an exchanged price US cents; `rate` and `deficit` count 10 000 for 1.00, `basis_points` 10 000 for the whole, `exchange_rate` hundred-millionths.',
    }),
  }),
});
