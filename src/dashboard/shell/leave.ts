import { chooseOrganization } from '../data/place.ts';
import { signOut } from '../data/session.ts';

/** Signs out, and begins again. */
export async function leave(): Promise<void> {
  await signOut();
  chooseOrganization(null);
  location.reload();
}
