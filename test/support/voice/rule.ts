import type { Kind } from './text.ts';

/** A rule about the English of the project. */
export type Rule = {
  readonly name: string;
  /** Kinds that the rule applies to. Defaults to every kind except names. */
  readonly kinds?: readonly Kind[];
  /** True if the rule doesn't apply to a sentence after the first in its paragraph. */
  readonly isForFirst?: true;
  /** True for defects that can't be shipped, such as a placeholder without its value. */
  readonly isBroken?: true;
  /** Matches a text that violates the rule. */
  readonly pattern: RegExp;
  /** Wording to use instead. */
  readonly advice: string;
  /** Texts that the rule allows. */
  readonly good: readonly string[];
  /** Texts that violate the rule. */
  readonly bad: readonly string[];
};

/** Kinds of text that customers, merchants and API clients see at run time. */
export const shown: readonly Kind[] = ['errors', 'dashboard', 'pages', 'emails'];

/** Kinds of text that developers read. */
export const reference: readonly Kind[] = ['schema', 'errors', 'comments', 'tests', 'docs'];

/** Kinds whose first words are scanned in a list, a tooltip or a search result. Test titles have a prefix. */
export const scanned: readonly Kind[] = ['schema', 'errors', 'comments', 'tests'];

/** Case-insensitive pattern of alternatives between word boundaries. */
export const phrase = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`\\b(?:${alternatives.join('|')})\\b`, 'i');

/** Pattern of the first words of a text, after the prefix of a test title. */
export const opening = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`^(?:(?:it|describe): )?(?:${alternatives.join('|')})(?![\\w’'-])(?!.*\\?$)`, 'i');
