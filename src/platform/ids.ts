import { randomBytes } from 'node:crypto';
import { systemClock } from './clock.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';

const timeDigits = 8;
const countDigits = 3;
const randomDigits = 11;
const counts = alphabet.length ** countDigits;

/** Buffer of random bytes, which is filled in bulk. */
let pool = randomBytes(8_192);
let used = 0;

/** Encodes a number with a fixed number of digits of the ID alphabet. */
function written(number: number, digits: number): string {
  let text = '';
  for (let rest = number, digit = 0; digit < digits; digit++) {
    text = alphabet[rest % alphabet.length] + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

function randomText(digits: number): string {
  let text = '';
  while (text.length < digits) {
    if (used === pool.length) {
      pool = randomBytes(pool.length);
      used = 0;
    }
    const index = (pool[used++] ?? 0) & 63;
    if (index < alphabet.length) text += alphabet[index];
  }
  return text;
}

/** Time of the latest ID in milliseconds, the time's digits, and the number of IDs created in that millisecond. */
let last = { ms: 0, text: '', count: 0 };

/**
 * Returns a new ID: the prefix, an underscore and 22 URL-safe characters. 8 characters encode real time, 3 count the process's IDs within the
 * millisecond, and 11 are random (GLO-1). The IDs of one process are ascending, so that index entries are appended. Don't rely on the order for
 * anything else.
 */
export function newId(prefix: string, nowMs: number = systemClock.now().getTime()): string {
  const isOver = last.count === counts;
  if (nowMs > last.ms || isOver) {
    const ms = Math.max(nowMs, last.ms + Number(isOver));
    last = { ms, text: written(ms, timeDigits), count: 0 };
  }
  return `${prefix}_${last.text}${written(last.count++, countDigits)}${randomText(randomDigits)}`;
}

/** True if the string has the format of an ID with this prefix. */
export const isIdOf = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{20,}$/.test(text.slice(prefix.length + 1));

/**
 * Returns a new short ID with 8 random characters (7 · 10¹³ values). Used for environments, whose ID is part of each row and index entry. Not a
 * secret. With 100,000 environments, the probability of a collision is 1 in 14,000. If IDs collide, the creation fails.
 */
export const newShortId = (prefix: string): string => `${prefix}_${randomText(8)}`;

/** Returns a new secret: the prefix and 43 URL-safe random characters (256 bits). */
export const newSecret = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/** Returns the prefix of an ID, such as `cus`. Returns an empty string for an ID without a prefix. */
export const prefixOf = (id: string): string => id.slice(0, Math.max(0, id.indexOf('_')));
