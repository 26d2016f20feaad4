import { newKey } from './once.ts';

// The secret by which the service knows a visitor of a public page again.

const memory = new Map<string, string>();

/** What the browser keeps for all its windows; null where it keeps nothing. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** The secret of this browser on this page, the same in all its windows: 32 hexadecimal digits. Drawn when it is needed first. */
export function visitKey(): string {
  const slot = `visit ${location.pathname}`;
  const known = memory.get(slot) ?? storage()?.getItem(slot) ?? '';
  const key = /^[0-9a-f]{32}$/.test(known) ? known : newKey();
  memory.set(slot, key);
  try {
    storage()?.setItem(slot, key);
  } catch {
    // A full storage keeps nothing; this window has its key all the same.
  }
  return key;
}
