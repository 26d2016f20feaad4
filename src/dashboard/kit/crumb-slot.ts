import { createContext } from 'react';

/** Element of the frame that shows the breadcrumbs of the page. `null` until the frame is rendered, and outside the frame. */
export const CrumbSlot = createContext<HTMLElement | null>(null);
