import { divideRounded, rateScale } from '../../../domain/money/money.ts';
import { type Explanation, formulas, recompute } from '../../../domain/rows/explanation.ts';

// Explains the amount of a line item in a sentence, from the formula and inputs that the billing engine stored with it.

/** Sentence for each formula. `{name}` is a placeholder for an input. */
export type WhySentences = { readonly [Formula in keyof typeof formulas]: string };

/** Formatters for amounts in the invoice's currency, for rates, for US cents, and for all other values. */
export type WhyFormats = {
  readonly minor: (amount: bigint) => string;
  readonly rate: (rate: bigint) => string;
  readonly usCents: (amount: bigint) => string;
  readonly percent: (basisPoints: bigint) => string;
  readonly exchangeRate: (hundredMillionths: bigint) => string;
  readonly count: (value: bigint) => string;
};

export type Why = {
  /** Calculation with the actual numbers, such as `$29.00, prorated for 15 of 30 days`. */
  readonly sentence: string;
  /** Formula with the integers that the billing engine used. */
  readonly exact: string;
  /** Result of the formula, in minor units. */
  readonly amount: bigint;
};

type Kind = keyof WhyFormats;

const kinds: Readonly<Record<string, Kind>> = {
  basis_points: 'percent',
  days: 'count',
  deficit: 'rate',
  exchange_rate: 'exchangeRate',
  rate: 'rate',
  total_days: 'count',
  total_deficit: 'rate',
  units: 'count',
};

/** Amounts in units of 1 ÷ `scale` of the currency unit. */
const scaled: ReadonlySet<string> = new Set(['before', 'after', 'rise']);

/** Returns the unit of an input. Defaults to minor units of the invoice's currency. */
function kindOf(formula: string, input: string): Kind {
  if (input === 'price' && formula.startsWith('exchanged')) return 'usCents';
  return kinds[input] ?? 'minor';
}

/** True if the billing engine has a formula with this name. */
const isFormula = (name: string): name is keyof typeof formulas => Object.hasOwn(formulas, name);

/** Explains a line item. `null` if this version of the dashboard doesn't know the formula. */
export function explainLine(
  line: { readonly formula: string; readonly rule: string; readonly inputs: unknown },
  sentences: WhySentences,
  formats: WhyFormats,
): Why | null {
  const { formula } = line;
  if (!isFormula(formula)) return null;
  const explanation: Explanation = {
    rule: line.rule,
    formula,
    // The API returns integers as strings.
    inputs: line.inputs as Explanation['inputs'],
  };
  const shown = (name: string): string => {
    const { [name]: value, scale } = explanation.inputs;
    if (value === undefined) return name;
    if (scaled.has(name) && scale !== undefined)
      return formats.rate(divideRounded(BigInt(value) * rateScale, BigInt(scale)));
    return formats[kindOf(formula, name)](BigInt(value));
  };
  return {
    sentence: sentences[formula].replaceAll(/\{(\w+)\}/g, (_all, name: string) => shown(name)),
    exact: formulas[formula].expression.replaceAll(/[a-z_]+/g, (name) => explanation.inputs[name] ?? name),
    amount: recompute(explanation),
  };
}
