import { readDerived } from '../../../../domain/rates/read-derived.ts';
import { type RateDraft, rateInputOf } from './rate-draft.ts';

// Derived rate and cost of a feature while they're edited.

/** Factor for events with certain properties. The factor is in basis points. `null` if the field is empty. */
export type ModifierDraft = { readonly condition: string; readonly factor: number | null };

/** Rate derived from the cost. The margin is in basis points. */
export type DerivedDraft = { readonly margin: number; readonly modifiers: readonly ModifierDraft[] };

/** Cost of a feature: a rate, or the token prices of AI models. `null` if the feature has no cost. */
export type CostDraft = RateDraft | 'ai_models' | null;

/** Changed cost of a feature, with the saved cost. */
export type CostChange = { readonly saved: CostDraft; readonly value: CostDraft };

/** Derived rate as returned by the plan query. */
export type DerivedAnswer = {
  readonly marginBps: number;
  readonly modifiers: readonly { readonly when: unknown; readonly factorBps: number }[];
};

type When = Readonly<Record<string, readonly string[]>>;

/** Separators outside of quotation marks, which enclose names and values that contain a separator. */
const outside = (separator: string) => new RegExp(`${separator}(?=(?:[^"]*"[^"]*")*[^"]*$)`);

const quoted = (text: string): string =>
  /^\s|\s$|[",;=]|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

function unquoted(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"')
    ? trimmed.slice(1, -1).replaceAll('""', '"')
    : trimmed;
}

/** Returns the values by property as a condition, such as `mode = batch, flex; region = eu`. */
export const conditionText = (when: unknown): string =>
  Object.entries((when ?? {}) as When)
    .map(([property, values]) => `${quoted(property)} = ${values.map(quoted).join(', ')}`)
    .join('; ');

/** Reads a condition, such as `mode = batch, flex; region = eu`. Returns the values by property, or `null` if the condition is invalid. */
export function readCondition(text: string): When | null {
  const parts = text.split(outside(';')).filter((part) => part.trim() !== '');
  const pairs = parts.map((part) => part.split(outside('=')));
  const isValid = pairs.every(
    ([property = '', values = '', ...more]) =>
      more.length === 0 && property.trim() !== '' && values.split(outside(',')).every((one) => one.trim()),
  );
  const when = Object.fromEntries(
    pairs.map(([property = '', values = '']) => [
      unquoted(property),
      values.split(outside(',')).map(unquoted),
    ]),
  );
  return isValid && Object.keys(when).length === pairs.length && pairs.length > 0 ? when : null;
}

/** Converts a saved derived rate for editing. */
export const derivedDraftOf = ({ marginBps, modifiers }: DerivedAnswer): DerivedDraft => ({
  margin: marginBps,
  modifiers: modifiers.map(({ when, factorBps }) => ({ condition: conditionText(when), factor: factorBps })),
});

/** Returns the derived rate as input for the service. */
export const derivedInputOf = ({ margin, modifiers }: DerivedDraft) => ({
  from: 'cost',
  marginBps: margin,
  modifiers: modifiers.map(({ condition, factor }) => ({
    when: readCondition(condition),
    factorBps: factor,
  })),
});

/** Returns true if a derived rate can be saved. */
export const isValidDerived = (derived: DerivedDraft): boolean =>
  'rate' in readDerived(derivedInputOf(derived));

/** Returns the cost as input for the service. */
export const costInputOf = (cost: CostDraft) =>
  cost === null ? null : cost === 'ai_models' ? { from: 'ai_models' } : rateInputOf(cost);
