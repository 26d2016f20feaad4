import { createContext } from 'react';

/** The level of the titles of cards: 2 on a page, 3 in a section. */
export const HeadingLevel = createContext<2 | 3>(2);
