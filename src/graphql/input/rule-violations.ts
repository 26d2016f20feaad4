import { countryViolation } from '../../domain/tax/countries.ts';
import { webAddressViolation } from '../../domain/text/web-addresses.ts';
import { noRule, type Rule } from '../declare/rules.ts';
import { lineViolation, storageViolation } from '../declare/scalars.ts';

const emailPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/**
 * Counts the characters of a string. A character has one or two UTF-16 code units, so `text.length` alone is sufficient
 * for most strings.
 */
const charactersIn = (text: string): number => [...text].length;

/** Returns the first violation of a string rule. `null` if the string is valid. */
export function textViolation(text: string, rule: Rule): string | null {
  const { minLength: least = 0, maxLength: most = Number.POSITIVE_INFINITY } = rule;
  if (text.length < 2 * least && charactersIn(text) < least)
    return `must have at least ${least} character${least === 1 ? '' : 's'}`;
  if (text.length > most && (text.length > 2 * most || charactersIn(text) > most))
    return `must have at most ${most} characters`;
  if (rule.pattern !== undefined && !rule.pattern.test(text))
    return `must match the pattern ${rule.pattern.source}`;
  if (rule.notIn?.includes(text) === true) return `must not be ${rule.notIn.join(' or ')}`;
  if (rule.format === 'email' && !emailPattern.test(text)) return 'must be an email address';
  if (rule.format === 'country') return countryViolation(text);
  // A string without a rule only has to be storable. Batch items have no rules, because the operation checks them.
  const stored = rule === noRule ? storageViolation(text) : lineViolation(text, rule.multiline);
  return stored ?? (rule.format === 'uri' ? webAddressViolation(text, rule.credentials) : null);
}

/** Returns the first violation of a number rule. `null` if the number is valid. */
export function numberViolation(value: number, rule: Rule): string | null {
  if (rule.minimum !== undefined && value < rule.minimum) return `must be at least ${rule.minimum}`;
  if (rule.exclusiveMinimum !== undefined && value <= rule.exclusiveMinimum)
    return `must be greater than ${rule.exclusiveMinimum}`;
  return rule.maximum !== undefined && value > rule.maximum ? `must be at most ${rule.maximum}` : null;
}

/** Returns the violation of a list's length limits. `null` if the length is valid. */
export function listViolation(values: readonly unknown[], rule: Rule): string | null {
  if (rule.minItems !== undefined && values.length < rule.minItems)
    return `must have at least ${rule.minItems} item${rule.minItems === 1 ? '' : 's'}`;
  return rule.maxItems !== undefined && values.length > rule.maxItems
    ? `must have at most ${rule.maxItems} items`
    : null;
}
