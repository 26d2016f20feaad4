import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageName } from '../../web/page-renderer.ts';
import type { Area, AreaName, Areas, Words } from '../words/areas.ts';

/** Page properties that are identical on the server and in the browser. */
export type CurrentPage = {
  readonly name: PageName;
  /** Path segment after the name of the page. */
  readonly token: string;
  /** Path segment after the token, such as `usage`. Empty if there is none. */
  readonly section: string;
  /**
   * Query string with language, theme, sandbox and country, which links to other sections and languages preserve, such as `?locale=es`. Empty if none
   * is set.
   */
  readonly search: string;
  /** Base path of the service. Empty at the root. */
  readonly base: string;
  /** Language of messages, numbers, and dates. */
  readonly language: string;
  /** Name of the merchant. Empty if unknown. */
  readonly merchant: string;
  readonly words: Words;
  /** Strings for this type of page only. `null` if the page uses only the common strings. */
  readonly area: Area | null;
};

const Context = createContext<CurrentPage | null>(null);

export const PageProvider = Context.Provider;

/** Returns the page that contains the component. */
export function usePage(): CurrentPage {
  const page = useContext(Context);
  if (page === null) throw new Error('There is no page around this part.');
  return page;
}

/** Returns the messages of an area. Throws on pages of another area. */
export function areaOf<Name extends AreaName>({ area }: CurrentPage, name: Name): Areas[Name] {
  if (area?.name !== name) throw new Error(`This page has no words of ${name}.`);
  return area.words as Areas[Name];
}

export const useArea = <Name extends AreaName>(name: Name): Areas[Name] => areaOf(usePage(), name);

let opened: CurrentPage | null = null;

/** Sets the page that is open in this browser. */
export function openPage(page: CurrentPage): void {
  opened = page;
}

/** Returns the page that is open in this browser. Throws on the server, which renders many pages at the same time. */
export function currentPage(): CurrentPage {
  if (opened === null) throw new Error('No page is open.');
  return opened;
}
