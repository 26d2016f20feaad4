import '../ui/tokens.css';
import './page.css';
import { hydrate } from 'preact';
import type { FirstAnswer, PageName } from '../web/page-renderer.ts';
import { openPage, PageProvider } from './data/current-page.ts';
import type { PageEntry } from './page-entry.ts';
import type { Words } from './words/en.ts';

/** What the service wrote into the document for the script. */
export type First = {
  readonly name: PageName;
  readonly token: string;
  readonly base: string;
  readonly language: string;
  readonly answer: FirstAnswer;
};

const catalogs = import.meta.glob<{ readonly words: Words }>('./words/*.ts');

/** Takes over the document the service wrote. */
export async function start({ view }: PageEntry): Promise<void> {
  const root = document.getElementById('root');
  const text = document.getElementById('first')?.textContent;
  if (root === null || text == null) return;
  const { answer, ...first } = JSON.parse(text) as First;
  const catalog = await catalogs[`./words/${first.language}.ts`]?.();
  if (catalog === undefined) return;
  const page = { ...first, words: catalog.words };
  openPage(page);
  hydrate(<PageProvider value={page}>{view(answer)}</PageProvider>, root);
}
