import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageName } from '../../web/page-renderer.ts';
import type { Area, AreaName, Areas } from '../words/areas.ts';
import type { Words } from '../words/en.ts';

/** What a page knows of itself, the same in the service and in the browser. */
export type CurrentPage = {
  readonly name: PageName;
  /** The part of its address behind the name of the page. */
  readonly token: string;
  /** What follows the token in its address, such as `usage`; empty where nothing does. */
  readonly section: string;
  /** The language, the theme, the sandbox and the country its address names, as links to its other sections and languages repeat them: `?locale=es`; empty without any. */
  readonly search: string;
  /** The path below which the service lies; empty at the root. */
  readonly base: string;
  /** The language of its words, numbers and dates. */
  readonly language: string;
  readonly words: Words;
  /** The words it has besides those of every page; null for none. */
  readonly area: Area | null;
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

/** The words of an area. Throws on a page of another one. */
export function areaOf<Name extends AreaName>({ area }: CurrentPage, name: Name): Areas[Name] {
  if (area?.name !== name) throw new Error(`This page has no words of ${name}.`);
  return area.words as Areas[Name];
}

/** The words of an area, on a page of it. */
export const useArea = <Name extends AreaName>(name: Name): Areas[Name] => areaOf(usePage(), name);

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
