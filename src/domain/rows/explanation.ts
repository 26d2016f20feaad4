// Explains how the amount of an invoice line was computed: the rule, the formula, and its inputs. Stored with the line, so that the amount
// can be recomputed.
import { divideRounded, minOf, rateScale } from '../money/money.ts';

type Numbers<Name extends string> = Readonly<Record<Name, bigint>>;

type Formula<Name extends string> = {
  readonly expression: string;
  readonly inputs: readonly Name[];
  readonly amount: (numbers: Numbers<Name>) => bigint;
};

const formula = <Name extends string>(
  expression: string,
  inputs: readonly Name[],
  amount: (numbers: Numbers<Name>) => bigint,
) => ({ expression, inputs, amount }) satisfies Formula<Name>;

/** Divisor for the product of an amount in US cents and an exchange rate in hundred-millionths. */
const exchangeDivisor = 10_000_000_000n;

/**
 * Formulas of line amounts, in minor units of the invoice. Prices, bases, and amounts are in minor units; amounts that
 * a formula converts are in US cents. Exchange rates are in hundred-millionths. Rates are in ten-thousandths of the
 * currency unit (10,000 = 1.00). `before`, `after`, and `rise` are in units of 1 ÷ `scale` of the currency unit.
 * `minor_per_unit` is the number of minor units in one currency unit.
 */
export const formulas = {
  price: formula('price', ['price'], ({ price }) => price),
  price_share: formula('round(price * days / total_days)', ['price', 'days', 'total_days'], (n) =>
    divideRounded(n.price * n.days, n.total_days),
  ),
  exchanged_price: formula(
    'round(price * exchange_rate * minor_per_unit / 10000000000)',
    ['price', 'exchange_rate', 'minor_per_unit'],
    (n) => divideRounded(n.price * n.exchange_rate * n.minor_per_unit, exchangeDivisor),
  ),
  exchanged_price_share: formula(
    'round(price * exchange_rate * minor_per_unit * days / (10000000000 * total_days))',
    ['price', 'exchange_rate', 'minor_per_unit', 'days', 'total_days'],
    (n) =>
      divideRounded(n.price * n.exchange_rate * n.minor_per_unit * n.days, exchangeDivisor * n.total_days),
  ),
  units: formula('round(units * rate * minor_per_unit / 10000)', ['units', 'rate', 'minor_per_unit'], (n) =>
    divideRounded(n.units * n.rate * n.minor_per_unit, rateScale),
  ),
  units_for_days: formula(
    'round(units * rate * minor_per_unit * days / (10000 * total_days))',
    ['units', 'rate', 'minor_per_unit', 'days', 'total_days'],
    (n) => divideRounded(n.units * n.rate * n.minor_per_unit * n.days, rateScale * n.total_days),
  ),
  tier: formula(
    'round(after * minor_per_unit / scale) - round(before * minor_per_unit / scale)',
    ['before', 'after', 'scale', 'minor_per_unit'],
    (n) =>
      divideRounded(n.after * n.minor_per_unit, n.scale) -
      divideRounded(n.before * n.minor_per_unit, n.scale),
  ),
  rise_for_days: formula(
    'round(rise * minor_per_unit * days / (scale * total_days))',
    ['rise', 'scale', 'minor_per_unit', 'days', 'total_days'],
    (n) => divideRounded(n.rise * n.minor_per_unit * n.days, n.scale * n.total_days),
  ),
  deficit: formula(
    'min(round(deficit * minor_per_unit / 10000), round(total_deficit * minor_per_unit / 10000) - billed)',
    ['deficit', 'total_deficit', 'minor_per_unit', 'billed'],
    (n) =>
      minOf(
        divideRounded(n.deficit * n.minor_per_unit, rateScale),
        divideRounded(n.total_deficit * n.minor_per_unit, rateScale) - n.billed,
      ),
  ),
  deficit_rest: formula(
    'round(total_deficit * minor_per_unit / 10000) - billed',
    ['total_deficit', 'minor_per_unit', 'billed'],
    (n) => divideRounded(n.total_deficit * n.minor_per_unit, rateScale) - n.billed,
  ),
  unused_share: formula(
    '-round(base * days / total_days)',
    ['base', 'days', 'total_days'],
    (n) => -divideRounded(n.base * n.days, n.total_days),
  ),
  percentage_off: formula(
    '-round(base * basis_points / 10000)',
    ['base', 'basis_points'],
    (n) => -divideRounded(n.base * n.basis_points, 10_000n),
  ),
  amount_off: formula('-min(amount, base)', ['amount', 'base'], (n) => -minOf(n.amount, n.base)),
  fixed_price: formula('fixed_price - base', ['fixed_price', 'base'], (n) => n.fixed_price - n.base),
  difference: formula('price - billed', ['price', 'billed'], (n) => n.price - n.billed),
  minimum_spend: formula(
    'round(minimum * days / total_days) - min(charged, round(minimum * days / total_days))',
    ['minimum', 'days', 'total_days', 'charged'],
    (n) => {
      const due = divideRounded(n.minimum * n.days, n.total_days);
      return due - minOf(n.charged, due);
    },
  ),
  credit: formula('-min(remaining, open)', ['remaining', 'open'], (n) => -minOf(n.remaining, n.open)),
};

export type FormulaName = keyof typeof formulas;

/**
 * Stored explanation of a line. Numbers are decimal strings, because JSON numbers can't represent the largest
 * amounts exactly.
 */
export type Explanation = {
  readonly rule: string;
  readonly formula: FormulaName;
  readonly inputs: { readonly [name: string]: string };
};

type InputsOf<F extends FormulaName> = Parameters<(typeof formulas)[F]['amount']>[0];

export const explain = <F extends FormulaName>(rule: string, name: F, inputs: InputsOf<F>): Explanation => ({
  rule,
  formula: name,
  inputs: Object.fromEntries(
    Object.entries<bigint>(inputs).map(([input, value]) => [input, value.toString()]),
  ),
});

/** Recomputes an amount in minor units. Throws if an input is missing. */
export function recompute(explanation: Explanation): bigint {
  // The inputs belong to this formula, so their names match.
  const { inputs, amount } = formulas[explanation.formula] as Formula<string>;
  return amount(
    Object.fromEntries(
      inputs.map((name) => {
        const value = explanation.inputs[name];
        if (value === undefined) throw new Error(`The formula ${explanation.formula} needs ${name}.`);
        return [name, BigInt(value)];
      }),
    ),
  );
}
