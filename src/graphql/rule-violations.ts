import { countryViolation } from '../domain/countries.ts';
import { webAddressViolation } from '../domain/web-addresses.ts';
import { noRule, type Rule } from './rules.ts';
import { lineViolation, storageViolation } from './scalars.ts';

const emailPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

// A character is one or two units of a text's length, so that characters are seldom counted.
const isShorter = (text: string, least: number): boolean =>
  text.length < 2 * least && (text.length < least || [...text].length < least);
const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);

/** What is wrong with a text by its rule; null when nothing is. */
export function textViolation(text: string, rule: Rule): string | null {
  if (rule.minLength !== undefined && isShorter(text, rule.minLength))
    return `must have at least ${rule.minLength} character${rule.minLength === 1 ? '' : 's'}`;
  if (rule.maxLength !== undefined && isLonger(text, rule.maxLength))
    return `must have at most ${rule.maxLength} characters`;
  if (rule.pattern !== undefined && !rule.pattern.test(text)) return `must match ${rule.pattern.source}`;
  if (rule.format === 'email' && !emailPattern.test(text)) return 'must be an email address';
  if (rule.format === 'country') return countryViolation(text);
  // A text without a rule is held to what can be stored only: the members of batch items, each checked against its own rules by the operation that takes the batch.
  const stored = rule === noRule ? storageViolation(text) : lineViolation(text, rule.multiline);
  return stored ?? (rule.format === 'uri' ? webAddressViolation(text, rule.credentials) : null);
}

/** What is wrong with a number by its rule; null when nothing is. */
export function numberViolation(value: number, rule: Rule): string | null {
  if (rule.minimum !== undefined && value < rule.minimum) return `must be at least ${rule.minimum}`;
  if (rule.exclusiveMinimum !== undefined && value <= rule.exclusiveMinimum)
    return `must be greater than ${rule.exclusiveMinimum}`;
  return rule.maximum !== undefined && value > rule.maximum ? `must be at most ${rule.maximum}` : null;
}

/** What is wrong with the length of a list by its rule; null when nothing is. */
export function listViolation(values: readonly unknown[], rule: Rule): string | null {
  if (rule.minItems !== undefined && values.length < rule.minItems)
    return `must have at least ${rule.minItems} item${rule.minItems === 1 ? '' : 's'}`;
  return rule.maxItems !== undefined && values.length > rule.maxItems
    ? `must have at most ${rule.maxItems} items`
    : null;
}
