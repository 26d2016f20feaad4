import { createStore } from './store.ts';

// Where the service lies, and which organization and environment requests are about.

export type Environment = 'sandbox' | 'live';

/** The path below which the service lies; empty where it has an origin to itself. */
export const base = document.body.dataset['base'] ?? '';

/** Whether this browser had a session when the document was loaded. It may have ended. */
export const hasSession = document.body.dataset['session'] !== undefined;

/** The environment the address names. */
export const environment = createStore<Environment>('sandbox');

const key = 'quittance-organization';

/** The organization requests are about; null for the one joined first. */
export const organization = createStore<string | null>(
  sessionStorage.getItem(key) ?? localStorage.getItem(key),
);

/** Turns to another organization, in this tab now and in new tabs from now on. */
export function chooseOrganization(id: string | null): void {
  for (const storage of [sessionStorage, localStorage])
    if (id === null) storage.removeItem(key);
    else storage.setItem(key, id);
  organization.set(id);
}
