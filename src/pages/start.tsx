import '../ui/tokens.css';
import './page.css';
import { hydrate } from 'preact';
import type { FirstAnswer, PageName } from '../web/page-renderer.ts';
import { openPage, PageProvider } from './data/current-page.ts';
import { loadAtFirstTouch } from './data/late.ts';
import type { PageEntry } from './page-entry.ts';
import type { Area } from './words/areas.ts';
import type { Words } from './words/en.ts';

/** What the service wrote into the document for the script. */
export type First = {
  readonly name: PageName;
  readonly token: string;
  readonly section: string;
  readonly search: string;
  readonly base: string;
  readonly language: string;
  readonly answer: FirstAnswer;
};

const catalogs = import.meta.glob<{ readonly words: Words }>('./words/*.ts');
export type AreaModule = { readonly words: Area['words'] };

/** The words of one area, by the paths of their files. */
type AreaFiles = Readonly<Record<string, () => Promise<AreaModule>>>;

/** Takes over the document the service wrote; `areaFiles` are those of the words the page has besides those of every page. */
export async function start(entry: PageEntry, areaFiles: AreaFiles = {}): Promise<void> {
  const root = document.getElementById('root');
  const text = document.getElementById('first')?.textContent;
  if (root === null || text == null) return;
  const { answer, ...first } = JSON.parse(text) as First;
  const [catalog, area] = await Promise.all([
    catalogs[`./words/${first.language}.ts`]?.(),
    areaFiles[`../words/${entry.area}/${first.language}.ts`]?.(),
  ]);
  if (catalog === undefined) return;
  const page = {
    ...first,
    words: catalog.words,
    area: area === undefined ? null : ({ name: entry.area, words: area.words } as Area),
  };
  openPage(page);
  loadAtFirstTouch();
  hydrate(<PageProvider value={page}>{entry.view(answer)}</PageProvider>, root);
}
