import { chooseOrganization } from '../data/place.ts';
import { signOut } from '../data/session.ts';

/** Signs out and reloads the dashboard. */
export async function leave(): Promise<void> {
  await signOut();
  chooseOrganization(null);
  location.reload();
}
