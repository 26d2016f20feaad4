import { comments } from './comments.ts';
import { descriptions } from './descriptions.ts';
import { documents } from './documents.ts';
import { errors, shownTexts } from './messages.ts';
import { names } from './names.ts';
import type { Rule } from './rule.ts';
import { brokenRules } from './rules/broken.ts';
import { grammar } from './rules/grammar.ts';
import { nameRules } from './rules/names.ts';
import { openings } from './rules/openings.ts';
import { termRules } from './rules/terms.ts';
import { titleRules } from './rules/titles.ts';
import { type Kind, kinds, type Text } from './text.ts';
import { titles } from './titles.ts';

export const rules: readonly Rule[] = [
  ...openings,
  ...grammar,
  ...termRules,
  ...titleRules,
  ...nameRules,
  ...brokenRules,
];

/** Checked text, with the rules that it violates. */
export type Flagged = Text & { readonly violated: readonly Rule[] };

const rulesOf: Readonly<Record<string, readonly Rule[]>> = Object.fromEntries(
  kinds.map((kind) => [kind, rules.filter((rule) => rule.kinds?.includes(kind) ?? kind !== 'names')]),
);

/** Returns the rules that a text violates, among the rules that apply to its kind. */
export const violatedBy = ({ kind, text, isContinued }: Omit<Text, 'place'>): Rule[] =>
  (rulesOf[kind] ?? []).filter(
    ({ pattern, isForFirst }) => pattern.test(text) && !(isForFirst === true && isContinued === true),
  );

/** Returns all checked text in the project. */
export const allTexts = (): Text[] => [
  ...descriptions(),
  ...errors(),
  ...shownTexts(),
  ...comments(),
  ...names(),
  ...titles(),
  ...documents(),
];

export const flaggedOf = (texts: readonly Text[]): Flagged[] =>
  texts
    .map((text) => ({ ...text, violated: violatedBy(text) }))
    .filter(({ violated }) => violated.length > 0);

/** Returns the number of texts of each kind. */
export const countsOf = (texts: readonly Text[]): Record<Kind, number> => {
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  for (const { kind } of texts) counts[kind] += 1;
  return counts;
};
