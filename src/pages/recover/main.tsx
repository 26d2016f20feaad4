import { type CatalogModule, start } from '../start.tsx';
import { recover } from './entry.tsx';

void start(recover, import.meta.glob<CatalogModule<unknown>>('../words/*/card.json'));
