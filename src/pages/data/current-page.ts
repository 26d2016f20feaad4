import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageName } from '../../web/page-renderer.ts';
import type { Words } from '../words/en.ts';

/** What a page knows of itself, the same in the service and in the browser. */
export type CurrentPage = {
  readonly name: PageName;
  /** The last part of its address. */
  readonly token: string;
  /** The path below which the service lies; empty at the root. */
  readonly base: string;
  /** The language of its words, numbers and dates. */
  readonly language: string;
  readonly words: Words;
};

const Context = createContext<CurrentPage | null>(null);

/** Gives parts the page they are on. */
export const PageProvider = Context.Provider;

/** The page a part is on. */
export function usePage(): CurrentPage {
  const page = useContext(Context);
  if (page === null) throw new Error('There is no page around this part.');
  return page;
}

let opened: CurrentPage | null = null;

/** Says which page is open in this browser. */
export function openPage(page: CurrentPage): void {
  opened = page;
}

/** The page that is open in this browser; there is none in the service, which serves many. */
export function currentPage(): CurrentPage {
  if (opened === null) throw new Error('No page is open.');
  return opened;
}
