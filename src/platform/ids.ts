import { randomBytes } from 'node:crypto';
import { systemClock } from './clock.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';

const timeDigits = 8;
const randomDigits = 14;

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

/**
 * A new opaque id: the prefix with its underscore, then 22 URL-safe characters, the first eight of which grow with operational time
 * so that rows made together lie together in an index, and fourteen of which are random (GLO-1). The order of ids means nothing.
 */
export function newId(prefix: string, nowMs: number = systemClock.now().getTime()): string {
  let time = '';
  for (let rest = nowMs, digit = 0; digit < timeDigits; digit++) {
    time = alphabet[rest % alphabet.length] + time;
    rest = Math.floor(rest / alphabet.length);
  }
  let random = '';
  while (random.length < randomDigits) {
    const index = randomByte() & 63;
    if (index < alphabet.length) random += alphabet[index];
  }
  return `${prefix}_${time}${random}`;
}

/** A new secret: the prefix, then 43 URL-safe random characters (256 bits). */
export const newSecret = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;
