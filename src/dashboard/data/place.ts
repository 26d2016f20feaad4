import { createStore } from './store.ts';

// Base path of the service, and the organization and environment that requests use.

export type Environment = 'sandbox' | 'live';

/** Path prefix of the service. Empty if the service has its own origin. */
export const base = document.body.dataset['base'] ?? '';

/** True if this browser had a session when the document was loaded. The session may have ended since. */
export const hasSession = document.body.dataset['session'] !== undefined;

/** Environment that the URL selects. */
export const environment = createStore<Environment>('sandbox');

const key = 'quittance-organization';

/** Organization that requests use. `null` selects the organization that the user joined first. */
export const organization = createStore<string | null>(
  sessionStorage.getItem(key) ?? localStorage.getItem(key),
);

/** Switches the organization of this tab, and the default organization of new tabs. */
export function chooseOrganization(id: string | null): void {
  for (const storage of [sessionStorage, localStorage])
    if (id === null) storage.removeItem(key);
    else storage.setItem(key, id);
  organization.set(id);
}
