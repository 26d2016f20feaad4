import { largestAmount } from '../../domain/money/money.ts';
import type { Rule } from './rules.ts';

// Validation rules that are shared by many inputs.

/** Rule for display names. */
export const name = { minLength: 1, maxLength: 200 } as const satisfies Rule;

/** Rule for descriptions of objects. */
export const description = { maxLength: 2_000, multiline: true } as const satisfies Rule;

/**
 * Reference to an object by ID, by the caller's own identifier, or by a code. Has the same maximum length as
 * a name (GLO-2).
 */
export const reference = name;

/** Path segments that HTTP clients resolve. A reference can't equal one of these segments (GLO-2a). */
const unreachable = { notIn: ['.', '..'] } as const satisfies Rule;

/** Rule for identifiers chosen by the caller. */
export const ownIdentifier = { ...reference, ...unreachable } as const satisfies Rule;

/** Rule for plan codes. */
export const planCode = { minLength: 1, maxLength: 100, ...unreachable } as const satisfies Rule;

/** Rule for feature codes (GLO-4). */
export const code = { minLength: 1, maxLength: 50, pattern: /^[a-z0-9_]+$/ } as const satisfies Rule;

/** Rule for keys of budgets. */
export const budgetKey = { minLength: 1, maxLength: 201 } as const satisfies Rule;

/** Maximum amount in an input, in minor units (GLO-14a). */
export const mostMinor = Number(largestAmount);

/** Rule for non-negative amounts in minor units. */
export const amountFromZero = { minimum: 0, maximum: mostMinor } as const satisfies Rule;

/** Rule for positive amounts in minor units. */
export const amountAboveZero = { minimum: 1, maximum: mostMinor } as const satisfies Rule;
