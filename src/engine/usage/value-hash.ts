import { hash } from 'node:crypto';

/** Number of hexadecimal digits of a value's hash: 128 bits. */
const hashDigits = 32;

/** Returns the hash under which a value is stored. */
export const hashValue = (value: string): string => hash('sha256', value).slice(0, hashDigits);
