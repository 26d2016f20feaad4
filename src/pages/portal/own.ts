import { useArea } from '../data/current-page.ts';
import type { Areas } from '../words/areas.ts';

/** What the portal says besides what every page says. */
export type PortalWords = Areas['portal'];

/** What the portal says, in the language of the page. */
export const useOwn = (): PortalWords => useArea('portal');
