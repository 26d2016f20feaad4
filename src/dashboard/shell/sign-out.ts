import { chooseOrganization } from '../data/place.ts';
import { signOut } from '../data/session.ts';
import { mayDiscard } from '../kit/unsaved-work.ts';

/** Signs out and reloads the dashboard, after asking about unsaved work. */
export async function leave(): Promise<void> {
  if (!(await mayDiscard())) return;
  await signOut();
  chooseOrganization(null);
  location.reload();
}
