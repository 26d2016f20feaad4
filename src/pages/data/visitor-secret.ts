import { newKey } from './idempotent-mutation.ts';

// Secret that identifies a visitor to a public page.

const memory = new Map<string, string>();

/** Returns the local storage, which all windows of the browser share. `null` if the browser doesn't allow it. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/**
 * Returns the secret of this browser for the current page: 32 hexadecimal digits, shared by all windows. Created on
 * first use.
 */
export function visitKey(): string {
  const slot = `visit ${location.pathname}`;
  const known = memory.get(slot) ?? storage()?.getItem(slot) ?? '';
  const key = /^[0-9a-f]{32}$/.test(known) ? known : newKey();
  memory.set(slot, key);
  try {
    storage()?.setItem(slot, key);
  } catch {
    // If the storage is full, the secret exists only in this window.
  }
  return key;
}
