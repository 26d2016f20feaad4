import type { Rule } from './rules.ts';

// Shape rules that many inputs share.

/** A name people read: 1 to 200 characters. */
export const name = { minLength: 1, maxLength: 200 } as const satisfies Rule;

/** What names a thing: our id, the caller's own identifier or a code, as long as a name at most (GLO-2). */
export const reference = name;

/** The code of a feature (GLO-4). */
export const code = { minLength: 1, maxLength: 50, pattern: /^[a-z0-9_]+$/ } as const satisfies Rule;
