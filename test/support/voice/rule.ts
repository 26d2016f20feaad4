import type { Kind } from './text.ts';

/** Rule about the English texts in the project. */
export type Rule = {
  readonly name: string;
  /** Kinds of text to which the rule applies. Defaults to every kind except names. */
  readonly kinds?: readonly Kind[];
  /** True if the rule doesn't apply to a sentence after the first in its paragraph. */
  readonly isForFirst?: true;
  /** True for a rule about defects that must not be released, such as a placeholder without a value. */
  readonly isBroken?: true;
  /** Matches a text that violates the rule. */
  readonly pattern: RegExp;
  /** Wording to use instead of the matched text. */
  readonly advice: string;
  /** Examples of texts that the rule allows. */
  readonly good: readonly string[];
  /** Examples of texts that violate the rule. */
  readonly bad: readonly string[];
};

/** Kinds of text that customers, merchants, and API clients see at run time. */
export const shown: readonly Kind[] = ['errors', 'dashboard', 'pages', 'emails'];

/** Kinds of text that developers read. */
export const reference: readonly Kind[] = ['schema', 'errors', 'comments', 'tests', 'docs'];

/** Kinds whose first words readers scan in a list, a tooltip, or a search result. Test titles have a prefix. */
export const scanned: readonly Kind[] = ['schema', 'errors', 'comments', 'tests'];

/** Builds a case-insensitive pattern that matches any of the alternatives between word boundaries. */
export const phrase = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`\\b(?:${alternatives.join('|')})\\b`, 'i');

/** Builds a pattern that matches the first words of a text, after the prefix of a test title. */
export const opening = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`^(?:(?:it|describe): )?(?:${alternatives.join('|')})(?![\\w’'-])(?!.*\\?$)`, 'i');
