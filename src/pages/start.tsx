import '../ui/tokens.css';
import './page.css';
import { hydrate } from 'preact';
import type { FirstAnswer, PageName } from '../web/page-renderer.ts';
import { openPage, PageProvider } from './data/current-page.ts';
import { loadAtFirstTouch } from './data/lazy-code.ts';
import { notePresses } from './data/pressed-button.ts';
import type { PageEntry } from './page-entry.ts';
import type { Area, Words } from './words/areas.ts';

/** Data that the server writes into the HTML of a hosted page. */
export type First = {
  readonly name: PageName;
  readonly token: string;
  readonly section: string;
  readonly search: string;
  readonly base: string;
  readonly language: string;
  readonly merchant: string;
  readonly answer: FirstAnswer;
};

/** Message module, compiled by `src/web/messages-plugin.ts`. */
export type CatalogModule<Messages> = { readonly default: Messages };

const catalogs = import.meta.glob<CatalogModule<Words>>('./words/*/common.json');

/** Functions that load an area's messages, by file path. */
type AreaFiles = Readonly<Record<string, () => Promise<CatalogModule<unknown>>>>;

/** Hydrates the document that the server rendered. `areaFiles` loads the additional messages of the page. */
export async function start(
  entry: Pick<PageEntry, 'view' | 'area'>,
  areaFiles: AreaFiles = {},
): Promise<void> {
  const root = document.getElementById('root');
  const text = document.getElementById('first')?.textContent;
  if (root === null || text == null) return;
  const { answer, ...first } = JSON.parse(text) as First;
  const [catalog, area] = await Promise.all([
    catalogs[`./words/${first.language}/common.json`]?.(),
    areaFiles[`../words/${first.language}/${entry.area}.json`]?.(),
  ]);
  if (catalog === undefined) return;
  const page = {
    ...first,
    words: catalog.default,
    area: area === undefined ? null : ({ name: entry.area, words: area.default } as Area),
  };
  openPage(page);
  loadAtFirstTouch();
  notePresses();
  hydrate(<PageProvider value={page}>{entry.view(answer)}</PageProvider>, root);
}
