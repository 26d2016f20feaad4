import { randomBytes } from 'node:crypto';
import { systemClock } from './clock.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';

const timeDigits = 8;
const countDigits = 3;
const randomDigits = 11;
const counts = alphabet.length ** countDigits;

let pool = Buffer.alloc(0);
let used = 0;

/** A random byte, drawn from a buffer filled many at a time. */
function randomByte(): number {
  if (used >= pool.length) {
    pool = randomBytes(8_192);
    used = 0;
  }
  return pool[used++] ?? 0;
}

/** A number by so many digits, the greatest first. */
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
    const index = randomByte() & 63;
    if (index < alphabet.length) text += alphabet[index];
  }
  return text;
}

/** The millisecond of the last id, its digits, and how many ids it has. */
let last = { ms: 0, text: '', count: 0 };

/**
 * A new opaque id: the prefix with its underscore, then 22 URL-safe characters: eight grow with operational time, three count the ids of this
 * process in a millisecond, and eleven are random (GLO-1). Ids ascend in the order a process makes them, so that an index is written at its end and its
 * pages get full. Otherwise the order of ids means nothing.
 */
export function newId(prefix: string, nowMs: number = systemClock.now().getTime()): string {
  const isOver = last.count === counts;
  if (nowMs > last.ms || isOver) {
    const ms = Math.max(nowMs, last.ms + Number(isOver));
    last = { ms, text: written(ms, timeDigits), count: 0 };
  }
  return `${prefix}_${last.text}${written(last.count++, countDigits)}${randomText(randomDigits)}`;
}

/** Whether a text has the form of an id with this prefix. */
export const isIdOf = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{20,}$/.test(text.slice(prefix.length + 1));

/**
 * A new id of eight random characters after the prefix, one of 7 · 10¹³: for environments, whose id stands in every row and every key of an index. It is no
 * secret, and of 100,000 environments two are given the same with a probability of 1 in 14,000; then the second is not made.
 */
export const newShortId = (prefix: string): string => `${prefix}_${randomText(8)}`;

/** A new secret: the prefix, then 43 URL-safe random characters (256 bits). */
export const newSecret = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;
