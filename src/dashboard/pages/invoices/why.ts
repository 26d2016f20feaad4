import { type Explanation, formulas, recompute } from '../../../domain/invoicing/explanation.ts';

// Why a line of an invoice has its amount: the formula and the inputs the engine stored with the line, in words and in amounts people read.

/** Sentences by formula; `{name}` stands for an input. */
export type WhySentences = { readonly [Formula in keyof typeof formulas]: string };

/** How values are shown: amounts of the invoice's currency, rates, US cents, and so on. */
export type WhyFormats = {
  readonly minor: (amount: bigint) => string;
  readonly rate: (rate: bigint) => string;
  readonly usCents: (amount: bigint) => string;
  readonly percent: (basisPoints: bigint) => string;
  readonly exchangeRate: (hundredMillionths: bigint) => string;
  readonly count: (value: bigint) => string;
};

/** One line explained. */
export type Why = {
  /** The calculation with its numbers, such as `$29.00 × 15 of 30 days`. */
  readonly sentence: string;
  /** The same as the engine computes it, in whole numbers. */
  readonly exact: string;
  /** The amount this gives, minor units. */
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

/** What an input counts; amounts of the invoice unless listed. */
function kindOf(formula: string, input: string): Kind {
  if (input === 'price' && formula.startsWith('exchanged')) return 'usCents';
  return kinds[input] ?? 'minor';
}

/** Whether text is a formula the engine knows. */
const isFormula = (name: string): name is keyof typeof formulas => Object.hasOwn(formulas, name);

/** Explains a line; null for a formula that is newer than this page. */
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
    // The API promises whole numbers as text.
    inputs: line.inputs as Explanation['inputs'],
  };
  const shown = (name: string): string => {
    const value = explanation.inputs[name];
    return value === undefined ? name : formats[kindOf(formula, name)](BigInt(value));
  };
  return {
    sentence: sentences[formula].replaceAll(/\{(\w+)\}/g, (_all, name: string) => shown(name)),
    exact: formulas[formula].expression.replaceAll(/[a-z_]+/g, (name) => explanation.inputs[name] ?? name),
    amount: recompute(explanation),
  };
}
